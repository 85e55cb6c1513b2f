import type { SessionEndedPayload, User } from '@tanya/contract';
import { hasCode } from '../api/api-error';
import { closeDialog, useDialogs } from '../state/dialogs';
import { removeDrafts, writeOwn } from '../state/drafts';
import { GUEST, memberLeaves, noteMember, onOwnerLeft } from '../session/page-owner';
import { queryClient } from '../queries/query-client';
import { quotaQuery, currentUserQuery } from '../queries/user.query';
import { defaultModelQuery, modelsQuery } from '../queries/models.query';
import { settingsQuery } from '../queries/settings.query';
import { threadMessagesQuery } from '../queries/threads.query';
import { onConnected, onEvent, onSessionLost, reconnectSocket } from './socket';
import { onSessionChangedElsewhere, tellOtherTabs } from '../session/session-tabs';
import { forgetThread } from './thread-activity';
import { withoutThread, withoutStreaming, type ThreadPages } from '../queries/thread-list';
import { refreshThreads } from '../queries/thread-refresh';

/** A burst of events, as when a guest's threads move into an account, leads to one read. */
const BURST_MS = 120;

type SessionEndedListener = (reason: SessionEndedPayload['reason']) => void;

/** Turns the server's events into what the query cache holds. Called once, at the start. */
export function startLiveUpdates(onSessionEnded: SessionEndedListener): void {
  const changed = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  onEvent('thread:changed', ({ threadId }) => {
    changed.add(threadId);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const ids = [...changed];
      changed.clear();
      void refreshThreads(ids);
    }, BURST_MS);
  });
  onEvent('thread:deleted', ({ threadId }) => dropThread(threadId));
  onEvent('quota:changed', (quota) => {
    const before = queryClient.getQueryData(quotaQuery.queryKey);
    queryClient.setQueryData(quotaQuery.queryKey, quota);
    // Another limit means that an admin has changed something: perhaps the plan.
    if (before && before.max !== quota.max) {
      void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    }
  });
  onEvent('models:changed', () => {
    void queryClient.invalidateQueries({ queryKey: modelsQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: defaultModelQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: ['admin', 'models'] });
  });
  onEvent('settings:changed', () => {
    void queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: ['admin', 'settings'] });
    void queryClient.invalidateQueries({ queryKey: quotaQuery.queryKey });
    // Told to one account alone, it means another plan or role.
    void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
  });
  const sessionEnded: SessionEndedListener = (reason) => {
    // The page that logged out itself has said so already.
    if (queryClient.getQueryData(currentUserQuery.queryKey)) onSessionEnded(reason);
    void forgetSession();
  };
  onEvent('session:ended', ({ reason }) => sessionEnded(reason));
  onSessionLost(() => sessionEnded('expired'));
  onEvent('generation:event', (event) => {
    if (event.type === 'end' || event.type === 'error') markWritten(event.threadId);
  });
  // Here and not with the chat: a logout may happen on a page without one.
  onOwnerLeft(removeDrafts);
  onSessionChangedElsewhere(() => void followOtherTab());
  refreshAfterReconnect();
}

/** Somebody logged in or registered on this page. */
export async function beginSession(user: User): Promise<void> {
  tellOtherTabs();
  await showSession(user);
}

/** Somebody ended the session on this page: what they had not sent goes with them. A session that is lost leaves it. */
export async function endSession(): Promise<void> {
  memberLeaves();
  tellOtherTabs();
  await forgetSession();
}

/** The account got a new session on this page, as by another password; the old one's sockets are about to be closed. */
export function renewSession(): void {
  tellOtherTabs();
  reconnectSocket();
}

/** What a guest had read is read again as theirs. */
async function showSession(user: User): Promise<void> {
  const quotaRead = forgetQuota();
  // It is the member's from now on, and the next guest's it never was.
  writeOwn(GUEST, 'image', null);
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  reconnectSocket();
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['threads'] }),
    quotaRead,
    queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  ]);
}

/** What belonged to the session is forgotten. */
async function forgetSession(): Promise<void> {
  noteMember();
  const quotaRead = forgetQuota();
  queryClient.setQueryData(currentUserQuery.queryKey, null);
  if (useDialogs.getState().open === 'account') closeDialog();
  // Whoever shows it hears of it no more once it is removed.
  queryClient.setQueryData(['image'], null);
  for (const key of ['threads', 'admin', 'api-key', 'image']) queryClient.removeQueries({ queryKey: [key] });
  reconnectSocket();
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
    quotaRead,
    queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  ]);
}

/** To be called before the page shows another person, for whose count this one would pass; reads theirs. */
function forgetQuota(): Promise<void> {
  return queryClient.resetQueries({ queryKey: quotaQuery.queryKey });
}

/** Another tab changed the cookies of this browser: the page shows whose they are now. */
async function followOtherTab(): Promise<void> {
  const before = queryClient.getQueryData(currentUserQuery.queryKey) ?? null;
  const user = await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
  if (user?.id === before?.id) return reconnectSocket();
  if (before) await forgetSession();
  if (user) await showSession(user);
}

/** Takes a thread out of every list; whoever shows it decides where to go. */
export function dropThread(threadId: number): void {
  queryClient.setQueriesData<ThreadPages>({ queryKey: ['threads', 'list'] }, (pages) =>
    pages ? withoutThread(pages, threadId) : pages,
  );
  queryClient.removeQueries({ queryKey: threadMessagesQuery(threadId).queryKey });
  forgetThread(threadId);
}

/** The list was read while the answer was being written; it no longer is. */
function markWritten(threadId: number): void {
  queryClient.setQueriesData<ThreadPages>({ queryKey: ['threads', 'list'] }, (pages) =>
    pages ? withoutStreaming(pages, threadId) : pages,
  );
}

/** Events are not kept for the absent: after a lost connection everything live is read again. */
function refreshAfterReconnect(): void {
  let known = false;
  onConnected(() => {
    if (known) {
      void queryClient.invalidateQueries({ queryKey: ['threads', 'list'] });
      void queryClient.invalidateQueries({ queryKey: quotaQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: modelsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey });
    }
    known = true;
    // What could not be read for want of a connection.
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => hasCode(state.error, 'network') });
  });
}
