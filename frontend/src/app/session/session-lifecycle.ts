import { notifyManager } from '@tanstack/react-query';
import type { User } from '@tanya/contract';
import { queryClient } from '../queries/query-client';
import { defaultModelQuery, modelsQuery } from '../queries/models.query';
import { QUERY_KEYS } from '../queries/query-keys';
import { settingsQuery } from '../queries/settings.query';
import { toolsQuery } from '../queries/tools.query';
import { currentUserQuery, quotaQuery } from '../queries/user.query';
import { reconnectSocket } from '../socket/socket';
import { closeDialog, type DialogName, useDialogs } from '../state/dialogs';
import { slideOut } from '../state/sidebar';
import { removeDrafts, writeOwn } from '../storage/drafts';
import { GUEST } from '../storage/owner';
import { onOwnerLeft, recordAccount, reportLogout } from './page-owner';

/** The tabs of a browser share the session cookie, so a login or logout in one tab changes the session of all. */
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('tanya.session');

/** Notifies the other tabs that this tab logged in or out, or that its session got another id. */
function broadcastSessionChange(): void {
  channel?.postMessage('changed');
}

function onSessionChangedInOtherTab(listener: () => void): void {
  channel?.addEventListener('message', listener);
}

/** Follows sessions that other tabs change and removes the drafts of an account that logs out. Call once at startup. */
export function startSessionSync(): void {
  onOwnerLeft(removeDrafts);
  // One after the other: a login that is followed while another tab logs out would be shown after the logout.
  let followed = Promise.resolve();
  onSessionChangedInOtherTab(() => void (followed = followed.then(followOtherTab, followOtherTab)));
}

export async function beginSession(user: User): Promise<void> {
  broadcastSessionChange();
  await showSession(user);
}

/** Shows a guest after a logout on this page and removes the account's drafts. A session that expires keeps them. */
export async function endSession(): Promise<void> {
  slideOut();
  reportLogout();
  broadcastSessionChange();
  await clearSession();
}

/** Reconnects with the new session id, as after a password change; the server closes the sockets of the old one. */
export function renewSession(): void {
  broadcastSessionChange();
  reconnectSocket();
}

/**
 * The queries that outlive a session: those with the same answer for everyone, and those that are read again for the next
 * user. All others may hold data of the account.
 */
const KEPT: readonly unknown[] = [
  settingsQuery.queryKey,
  modelsQuery.queryKey,
  defaultModelQuery.queryKey,
  QUERY_KEYS.ideaTexts,
  QUERY_KEYS.sharedConversation,
  currentUserQuery.queryKey,
  quotaQuery.queryKey,
  toolsQuery.queryKey,
].map(([area]) => area);

/** Dialogs that show data of an account, or end its session. An open one would show it to the guest, because its queries are removed unnoticed. */
const OF_AN_ACCOUNT: (DialogName | null)[] = ['share', 'project', 'delete', 'archived', 'logout'];

/** Empties the caches of the session and shows a guest. */
export async function clearSession(): Promise<void> {
  recordAccount();
  const reads = Promise.all([resetQuotaAndTools(), resetModels()]);
  queryClient.setQueryData(currentUserQuery.queryKey, null);
  if (OF_AN_ACCOUNT.includes(useDialogs.getState().open)) closeDialog();
  // Observers are not notified of a removed query, so they get an empty value first.
  queryClient.setQueryData(QUERY_KEYS.image, null);
  queryClient.removeQueries({ predicate: ({ queryKey: [area] }) => !KEPT.includes(area) });
  reconnectSocket();
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
    reads,
    queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  ]);
}

async function showSession(user: User): Promise<void> {
  const reads = resetQuotaAndTools();
  // The guest's image moves to the account; the next guest of this browser must not see it.
  writeOwn(GUEST, 'image', null);
  // The answer of a read that began before the login would show the guest again.
  void queryClient.cancelQueries({ queryKey: currentUserQuery.queryKey });
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  reconnectSocket();
  // Until then a temporary chat of the guest is read, which the account does not have.
  await accountIsShown();
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['threads'] }),
    reads,
    queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  ]);
}

/** Resolves when the screens have been rendered with the user that was put into the cache. */
const accountIsShown = (): Promise<void> => new Promise((resolve) => notifyManager.schedule(resolve));

/**
 * Clears the quota and the tools before the page shows another user, and reads them again where a screen shows them: no
 * screen shows those of one user to another.
 */
async function resetQuotaAndTools(): Promise<void> {
  await Promise.all([quotaQuery, toolsQuery].map(({ queryKey }) => queryClient.resetQueries({ queryKey })));
}

/** The models of a group are not shown to the guest. A login keeps the guest's models until those of the account are read. */
const resetModels = (): Promise<void> => queryClient.resetQueries({ queryKey: modelsQuery.queryKey });

async function followOtherTab(): Promise<void> {
  const before = queryClient.getQueryData(currentUserQuery.queryKey) ?? null;
  // A read under way may have begun before the change; who waits for it gets the answer of the next one.
  void queryClient.cancelQueries({ queryKey: currentUserQuery.queryKey }, { silent: true });
  const user = await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 });
  if (user?.id === before?.id) return reconnectSocket();
  if (before) await clearSession();
  if (user) await showSession(user);
}
