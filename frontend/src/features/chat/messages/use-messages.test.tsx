import { QueryClientProvider } from '@tanstack/react-query';
import type { User } from '@tanya/contract';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { PropsWithChildren } from 'react';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { clearSession, startSessionSync } from '../../../app/session/session-lifecycle';
import { useMessages } from './use-messages';

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
  it('needs a login, without a request', () => {
    showUser(null);
    const requested = serve(answers(null));
    const thread = openThread();
    expect(thread.current).toMatchObject({ failed: false, needsLogin: true, isLoading: false });
    expect(requested).not.toContain(MESSAGES);
  });

  it('needs a login when the session ends on this page', async () => {
    startSessionSync();
    serve({ ...answers(null), [MESSAGES]: [] });
    showUser(sari);
    const thread = openThread();
    await waitFor(() => expect(thread.current.isLoading).toBe(false));
    expect(thread.current).toMatchObject({ failed: false, needsLogin: false });
    await act(clearSession);
    await waitFor(() => expect(thread.current).toMatchObject({ failed: false, needsLogin: true }));
  });
});
