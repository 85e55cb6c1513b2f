import { jest } from '@jest/globals';
import { QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { create } from 'zustand';
import type { ServerToClientEvents, ToolInfo, User } from '@tanya/contract';
import { holdRequests, serve } from '../api/fake-server';
import { sari } from '../session/fake-user';
import { guestMessageCount, persistGuestMessageCount } from '../session/guest-message-count';
import { connectionsQuery } from '../queries/connections.query';
import { defaultModelQuery } from '../queries/models.query';
import { threadMessagesQuery, threadQuery } from '../queries/threads.query';
import { toolsQuery } from '../queries/tools.query';
import { quotaQuery, currentUserQuery } from '../queries/user.query';
import { queryClient } from '../queries/query-client';

type EventName = keyof ServerToClientEvents;

const listeners = new Map<string, (payload?: unknown) => void>();
const stop = () => undefined;

const useConnection = create(() => ({ status: 'idle' }));

jest.unstable_mockModule('../socket/socket', () => ({
  onEvent: (event: EventName, listener: () => void) => listeners.set(event, listener) && stop,
  onConnected: (listener: () => void) => listeners.set('connect', listener) && stop,
  onSessionLost: (listener: () => void) => listeners.set('session lost', listener) && stop,
  reconnectSocket: stop,
  useConnection,
}));

const { closeDialog, openDialog, useDialogs } = await import('../state/dialogs');
const { beginSession, endSession } = await import('../session/session-lifecycle');
const { startLiveUpdates } = await import('./live-updates');
const ended: string[] = [];
const openAnew = () => startLiveUpdates((reason) => ended.push(reason));
openAnew();

const emit = (event: EventName | 'connect', payload?: unknown) => listeners.get(event)?.(payload);
const shown = () => queryClient.getQueryData(currentUserQuery.queryKey);

/** Resolves when all reads have ended and their observers have been notified. */
async function readsEnd(): Promise<void> {
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  // React Query notifies in a task that it has queued by now.
  await new Promise((resolve) => setTimeout(resolve));
}

const quota = { used: 1, max: 100, remaining: 99, resetsAt: null };

let stopShowing: () => void = stop;

/** Shows a user; the server's session already has the change. */
async function show(user: User, change: Partial<User>): Promise<void> {
  stopShowing();
  queryClient.clear();
  const answers: Record<string, unknown> = { '/api/session': { user }, '/api/user/quota': quota };
  serve(answers);
  await queryClient.fetchQuery(currentUserQuery);
  await queryClient.fetchQuery(quotaQuery);
  answers['/api/session'] = { user: { ...user, ...change } };
  // Only observed queries are read again.
  stopShowing = new QueryObserver(queryClient, currentUserQuery).subscribe(stop);
}

describe('an open page', () => {
  it('reads again what it has read before its first connection only if that one failed', async () => {
    await show(sari, { isPremium: true });
    emit('connect');
    await readsEnd();
    expect(shown()).toMatchObject({ isPremium: false });
    openAnew();
    useConnection.setState({ status: 'lost' });
    emit('connect');
    await waitFor(() => expect(shown()).toMatchObject({ isPremium: true }));
  });

  it('shows premium when the limit stays the same', async () => {
    await show(sari, { isPremium: true });
    emit('settings:changed');
    emit('quota:changed', quota);
    await waitFor(() => expect(shown()).toMatchObject({ isPremium: true }));
  });

  it('keeps a new quota when a read that began before it ends later', async () => {
    await show(sari, {});
    queryClient.removeQueries({ queryKey: quotaQuery.queryKey });
    serve({ '/api/session': { user: sari }, '/api/user/quota': quota });
    const held = holdRequests();
    const stopLooking = new QueryObserver(queryClient, quotaQuery).subscribe(stop);
    await waitFor(() => expect(held.isAsked()).toBe(true));
    const unlimited = { used: 1, max: -1, remaining: -1, resetsAt: null };
    serve({ '/api/session': { user: { ...sari, isPremium: true } }, '/api/user/quota': unlimited });
    emit('settings:changed');
    emit('quota:changed', unlimited);
    held.release();
    await readsEnd();
    expect(queryClient.getQueryData(quotaQuery.queryKey)).toEqual(unlimited);
    stopLooking();
  });

  it('shows the rights of an admin', async () => {
    await show(sari, { isAdmin: true });
    emit('settings:changed');
    await waitFor(() => expect(shown()).toMatchObject({ isAdmin: true }));
  });

  it('shows changes of its user that happened while the connection was lost', async () => {
    emit('connect');
    await show(sari, { isPremium: true, isAdmin: true });
    emit('connect');
    await waitFor(() => expect(shown()).toMatchObject({ isPremium: true, isAdmin: true }));
  });

  it('reports the end of an admin’s session and shows a guest', async () => {
    await show({ ...sari, isAdmin: true }, {});
    queryClient.setQueryData(['admin', 'users'], [sari]);
    serve({ '/api/session': { user: null }, '/api/user/quota': quota });
    emit('session:ended', { reason: 'role' });
    await readsEnd();
    expect(ended).toEqual(['role']);
    expect(shown()).toBeNull();
    expect(queryClient.getQueryData(['admin', 'users'])).toBeUndefined();
  });

  it.each(['share', 'archived'] as const)('closes the dialog %s when the session ends', async (dialog) => {
    await show(sari, {});
    openDialog(dialog);
    serve({ '/api/session': { user: null }, '/api/user/quota': quota });
    emit('session:ended', { reason: 'expired' });
    await readsEnd();
    expect(useDialogs.getState().open).toBeNull();
  });

  it('logs out of a suspended session before it shows a guest, because other calls are refused until then', async () => {
    await show(sari, {});
    const requests = serve({ '/api/logout': {}, '/api/session': { user: null }, '/api/user/quota': quota });
    emit('session:ended', { reason: 'suspended' });
    await waitFor(() => expect(shown()).toBeNull());
    await readsEnd();
    expect(useDialogs.getState().open).toBe('suspended');
    expect(requests[0]).toBe('/api/logout');
    expect(shown()).toBeNull();
  });

  it('logs out of a suspended session that it opens with, and reports the suspension', async () => {
    queryClient.clear();
    closeDialog();
    const requests = serve({ '/api/session': { user: null, isSuspended: true }, '/api/logout': {} });
    expect(await queryClient.fetchQuery(currentUserQuery)).toBeNull();
    expect(requests).toEqual(['/api/session', '/api/logout']);
    expect(useDialogs.getState().open).toBe('suspended');
  });

  it('shows each user’s own quota after a logout and a login', async () => {
    await show(sari, {});
    persistGuestMessageCount();
    const ofGuest = { used: 0, max: 3, remaining: 3, resetsAt: null };
    const seen = new Set<string>();
    const counted = new Set<number>();
    const stopLooking = new QueryObserver(queryClient, quotaQuery).subscribe(({ data }) => {
      const user = queryClient.getQueryData(currentUserQuery.queryKey);
      if (data) seen.add(`${user ? user.username : 'guest'} ${data.used}/${data.max}`);
      counted.add(guestMessageCount());
    });
    serve({ '/api/session': { user: null }, '/api/user/quota': ofGuest });
    await endSession();
    await readsEnd();
    serve({ '/api/session': { user: sari }, '/api/user/quota': quota });
    await beginSession(sari);
    await readsEnd();
    stopLooking();
    expect([...seen]).toEqual(['guest 0/3', 'sari 1/100']);
    expect([...counted]).toEqual([0]);
  });

  it('shows each user’s own tools after a logout and a login', async () => {
    await show(sari, {});
    const toolsOf = (name: string) => [{ name, title: name }];
    const rest = { '/api/user/quota': quota };
    queryClient.setQueryData(toolsQuery.queryKey, toolsOf('image') as ToolInfo[]);
    const seen = new Set<string>();
    const stopLooking = new QueryObserver(queryClient, toolsQuery).subscribe(({ data }) => {
      const user = queryClient.getQueryData(currentUserQuery.queryKey);
      for (const { name } of data ?? []) seen.add(`${user ? user.username : 'guest'} ${name}`);
    });
    serve({ ...rest, '/api/session': { user: null }, '/api/tools': toolsOf('search') });
    await endSession();
    await readsEnd();
    serve({ ...rest, '/api/session': { user: sari }, '/api/tools': toolsOf('image') });
    await beginSession(sari);
    await readsEnd();
    stopLooking();
    expect([...seen]).toEqual(['guest search', 'sari image']);
  });

  it('reads the data of admins and the open thread again after a reconnect', async () => {
    emit('connect');
    await show({ ...sari, isAdmin: true }, {});
    const stops = [
      new QueryObserver(queryClient, connectionsQuery).subscribe(stop),
      new QueryObserver(queryClient, threadQuery(7)).subscribe(stop),
    ];
    serve({ '/api/admin/connections': [], '/api/chat/threads/7': { title: 'Old' } });
    await readsEnd();
    serve({ '/api/admin/connections': [{ id: 3 }], '/api/chat/threads/7': { title: 'New' } });
    emit('connect');
    await waitFor(() => expect(queryClient.getQueryData(threadQuery(7).queryKey)).toEqual({ title: 'New' }));
    await waitFor(() => expect(queryClient.getQueryData(connectionsQuery.queryKey)).toEqual([{ id: 3 }]));
    stops.forEach((end) => end());
  });

  it('reads a conversation that was left before a reconnect when it is opened again', async () => {
    await show(sari, {});
    queryClient.setQueryData(threadMessagesQuery(7).queryKey, { items: [], nextCursor: null });
    emit('connect');
    expect(queryClient.getQueryState(threadMessagesQuery(7).queryKey)).toMatchObject({
      isInvalidated: true,
      fetchStatus: 'idle',
    });
    await readsEnd();
  });

  it('reads the tools and the default model again after a reconnect', async () => {
    await show(sari, {});
    const stops = [
      new QueryObserver(queryClient, toolsQuery).subscribe(stop),
      new QueryObserver(queryClient, defaultModelQuery).subscribe(stop),
    ];
    serve({ '/api/tools': [], '/api/settings/default-model': { modelId: 'old' } });
    await readsEnd();
    serve({ '/api/tools': [{ name: 'search' }], '/api/settings/default-model': { modelId: 'new' } });
    emit('connect');
    await waitFor(() => expect(queryClient.getQueryData(toolsQuery.queryKey)).toEqual([{ name: 'search' }]));
    await waitFor(() => expect(queryClient.getQueryData(defaultModelQuery.queryKey)).toEqual({ modelId: 'new' }));
    stops.forEach((end) => end());
  });
});
