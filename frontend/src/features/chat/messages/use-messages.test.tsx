import { QueryClientProvider } from '@tanstack/react-query';
import type { User } from '@tanya/contract';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { PropsWithChildren } from 'react';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { clearSession, endSession, startSessionSync } from '../../../app/session/session-lifecycle';
import { useMessages } from './use-messages';

const MARKER = 'tanya.signed-in';
const MESSAGES = '/api/chat/threads/7/messages';

const wrapper = ({ children }: PropsWithChildren) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

const showUser = (user: User | null) => queryClient.setQueryData(currentUserQuery.queryKey, user);
const answers = (user: User | null) => ({
  '/api/session': { user },
  '/api/user/quota': {},
  '/api/general-settings': {},
});

const openThread = () => renderHook(() => useMessages(7), { wrapper }).result;

beforeEach(() => {
  queryClient.clear();
  localStorage.clear();
});

describe('a thread that a guest may not read', () => {
  it('failed to load when this browser has lost no session', async () => {
    showUser(null);
    const requested = serve(answers(null));
    const thread = openThread();
    expect(thread.current).toMatchObject({ failed: true, needsLogin: false, isLoading: false });
    expect(requested).not.toContain(MESSAGES);
    act(() => thread.current.retry());
    await waitFor(() => expect(requested).toContain(MESSAGES));
    await waitFor(() => expect(thread.current).toMatchObject({ failed: true, needsLogin: false }));
  });

  it('needs a login when the session of this browser has expired before a reload', () => {
    showUser(null);
    localStorage.setItem(MARKER, '1');
    serve(answers(null));
    const thread = openThread();
    expect(thread.current).toMatchObject({ failed: false, needsLogin: true, isLoading: false });
  });

  it('needs a login when the session ends on this page', async () => {
    startSessionSync();
    serve({ ...answers(null), [MESSAGES]: [] });
    showUser(sari);
    const thread = openThread();
    await waitFor(() => expect(thread.current.isLoading).toBe(false));
    expect(thread.current).toMatchObject({ failed: false, needsLogin: false });
    expect(localStorage.getItem(MARKER)).toBe('1');
    await act(clearSession);
    await waitFor(() => expect(thread.current).toMatchObject({ failed: false, needsLogin: true }));
    expect(localStorage.getItem(MARKER)).toBe('1');
  });

  it('is not the thread of a lost session after a logout', async () => {
    serve(answers(null));
    showUser(sari);
    await waitFor(() => expect(localStorage.getItem(MARKER)).toBe('1'));
    await act(endSession);
    expect(localStorage.getItem(MARKER)).toBeNull();
  });
});
