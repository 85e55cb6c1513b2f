import type { SessionEndedPayload } from '@tanya/contract';
import { api } from '../api/api-client';
import { hasCode } from '../api/api-error';
import { defaultModelQuery, modelsQuery } from '../queries/models.query';
import { QUERY_KEYS } from '../queries/query-keys';
import { queryClient } from '../queries/query-client';
import { settingsQuery } from '../queries/settings.query';
import { isMessagesQuery, isThreadQuery } from '../queries/threads.query';
import { toolsQuery } from '../queries/tools.query';
import { currentUserQuery, onSuspension, quotaQuery } from '../queries/user.query';
import { clearSession, startSessionSync } from '../session/session-lifecycle';
import { onConnected, onEvent, onSessionLost, useConnection } from '../socket/socket';
import { openDialog } from '../state/dialogs';
import { clearActivity, dropThread } from './thread-list-cache';
import { refreshThreads } from './thread-refresh';

/** Debounce of `thread:changed`: a guest's threads that move into an account cause one read, not one per thread. */
const DEBOUNCE_MS = 120;

/** What depends on the settings and on the rights of the user. A provider's key makes models available. */
const OF_SETTINGS = [
  ...[settingsQuery, quotaQuery, currentUserQuery, modelsQuery, defaultModelQuery, toolsQuery].map(
    ({ queryKey }) => queryKey,
  ),
  QUERY_KEYS.preferences,
];

type Reason = SessionEndedPayload['reason'];

/**
 * Applies the server's events to the query cache. Call once at startup.
 * @param onSessionEnded reports the end of a session; a suspension has a dialog of its own
 */
export function startLiveUpdates(
  onSessionEnded: (reason: Exclude<Reason, 'suspended'>) => void,
  { hasDialogs = true } = {},
): void {
  startThreadUpdates();
  startAccountUpdates();
  startSessionSync();
  const sessionEnded = (reason: Reason) => {
    // A page that logged out itself already shows a guest and has shown its own notice.
    const isReported = !queryClient.getQueryData(currentUserQuery.queryKey);
    if (reason === 'suspended') return void leaveSuspendedSession(isReported);
    if (!isReported) onSessionEnded(reason);
    void clearSession();
  };
  onEvent('session:ended', ({ reason }) => sessionEnded(reason));
  onSessionLost((reason) => {
    // Guests are off. Showing the guest anew would connect again.
    const isGuest = queryClient.getQueryData(currentUserQuery.queryKey) === null;
    if (isGuest && reason === 'expired') invalidate(settingsQuery.queryKey);
    else sessionEnded(reason);
  });
  // A page that opens with the session of a suspended account. A share page has no dialogs, and is left by loading another
  // page, which reports.
  if (hasDialogs) onSuspension(() => openDialog('suspended'));
  refreshAfterReconnect();
}

let leaving: Promise<void> | null = null;

/**
 * Ends a session whose account is suspended. Until then the server refuses its calls, also those of a guest's page. The socket
 * may report the suspension again before the logout is answered.
 */
function leaveSuspendedSession(isReported: boolean): Promise<void> {
  if (leaving !== null) return leaving;
  if (!isReported) openDialog('suspended');
  leaving = api
    .post('/api/logout')
    .then(clearSession, clearSession)
    .finally(() => (leaving = null));
  return leaving;
}

function startThreadUpdates(): void {
  const changed = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  onEvent('thread:changed', ({ threadId }) => {
    changed.add(threadId);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const ids = [...changed];
      changed.clear();
      void refreshThreads(ids);
    }, DEBOUNCE_MS);
  });
  onEvent('thread:deleted', ({ threadId }) => dropThread(threadId));
  onEvent('generation:event', (event) => {
    if (event.type === 'end' || event.type === 'error') clearActivity(event.threadId);
  });
}

function startAccountUpdates(): void {
  onEvent('quota:changed', (quota) => {
    const { queryKey } = quotaQuery;
    const before = queryClient.getQueryData(queryKey);
    queryClient.setQueryData(queryKey, quota);
    // A read under way may have begun before the change, and would end with the earlier quota.
    if (queryClient.isFetching({ queryKey })) invalidate(queryKey);
    // A new limit may come from a new plan, which the account shows too.
    if (before && before.max !== quota.max) invalidate(currentUserQuery.queryKey);
  });
  onEvent('models:changed', () => {
    invalidate(modelsQuery.queryKey, defaultModelQuery.queryKey, QUERY_KEYS.adminModels, QUERY_KEYS.connections);
  });
  // Sent to a single account, the event means that its plan or role changed.
  onEvent('settings:changed', () => {
    invalidate(...OF_SETTINGS, QUERY_KEYS.adminSettings, QUERY_KEYS.connections);
  });
}

/** The server does not queue events for a lost connection, so a reconnect reads all live data again. */
function refreshAfterReconnect(): void {
  let isReconnect = false;
  // What was read until then may be old: without a connection the service worker may have answered.
  useConnection.subscribe(({ status }) => void (isReconnect ||= status === 'lost'));
  onConnected(() => {
    if (isReconnect) {
      invalidate(...OF_SETTINGS, QUERY_KEYS.threadLists, QUERY_KEYS.admin);
      void queryClient.invalidateQueries({ predicate: isThreadQuery });
      // The page of the open thread reads its messages itself, the others are read when they are opened.
      void queryClient.invalidateQueries({ predicate: isMessagesQuery, refetchType: 'none' });
    }
    isReconnect = true;
    // Reads that failed without a connection.
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => hasCode(state.error, 'network') });
  });
}

function invalidate(...queryKeys: (readonly unknown[])[]): void {
  for (const queryKey of queryKeys) void queryClient.invalidateQueries({ queryKey });
}
