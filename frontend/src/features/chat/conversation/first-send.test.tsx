import { jest } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { User } from '@tanya/contract';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { beginConversation } from '../../../app/state/conversation';
import { useComposerStore } from '../../../app/state/composer-store';
import { FakePage } from '../../../components/layout/fake-page';
import { recordThread } from '../client/conversation-thread-store';
import { outbox, type PendingSend } from '../client/outbox-store';

const stop = () => undefined;
jest.unstable_mockModule('../../../app/socket/socket', () => ({ onEvent: () => stop }));
const { useConversation } = await import('./use-conversation');
const { restoreUnsentMessages } = await import('./unsent-messages');

const firstSend = (change: Partial<PendingSend> = {}): PendingSend => ({
  clientMessageId: 'a',
  owner: 'user:1',
  conversation: 'draft-left',
  request: {
    event: 'generation:start',
    payload: { clientMessageId: 'a', threadId: null, model: 'm', content: { text: 'halo' } },
  },
  createdAt: '2026-01-01T00:00:00Z',
  state: 'waiting',
  error: null,
  ...change,
});

/** The key of the conversation on the home page, after it was opened and left. */
async function visitHome(): Promise<string> {
  const { result, unmount } = renderHook(() => useConversation(null), { wrapper: FakePage });
  await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
  const { key } = result.current;
  unmount();
  return key;
}

beforeEach(async () => {
  queryClient.setQueryData(currentUserQuery.queryKey, { id: 1 } as User);
  useComposerStore.setState({ text: null, files: [] });
  outbox.store.setState({ pending: [] });
  // Ends the New chat of an earlier test.
  await visitHome();
});

test('a first message without an ack stays on the home page while nothing can restore its text', async () => {
  outbox.add(firstSend());
  beginConversation();
  expect(await visitHome()).toBe('draft-left');
});

describe('a first message without an ack', () => {
  beforeAll(restoreUnsentMessages);

  it('is shown by each visit of the home page', async () => {
    outbox.add(firstSend());
    expect([await visitHome(), await visitHome()]).toEqual(['draft-left', 'draft-left']);
  });

  it('joins the thread that another first message of its conversation has created', async () => {
    outbox.add(firstSend({ state: 'failed', conversation: 'draft-two' }));
    outbox.add(firstSend({ state: 'sending', conversation: 'draft-two', clientMessageId: 'b' }));
    recordThread('draft-two', 13);
    expect(outbox.all()).toMatchObject([
      { conversation: '13', request: { payload: { threadId: 13 } } },
      { conversation: 'draft-two', request: { payload: { threadId: null } } },
    ]);
    expect(await visitHome()).toMatch(/^draft-(?!two)/);
  });

  it('of another account is not shown', async () => {
    outbox.add(firstSend({ owner: 'user:2' }));
    expect(await visitHome()).not.toBe('draft-left');
  });

  it('is not shown once it has its ack', async () => {
    outbox.add(firstSend({ ackedAs: 2 }));
    expect(await visitHome()).not.toBe('draft-left');
  });

  it.each(['waiting', 'failed'] as const)('goes back into the draft with New chat (%s)', async (state) => {
    outbox.add(firstSend({ state }));
    beginConversation();
    expect(useComposerStore.getState().text).toEqual({ value: 'halo', isIdea: false });
    expect(outbox.all()).toEqual([]);
    expect(await visitHome()).not.toBe('draft-left');
  });

  it('that may have been accepted stays in the outbox with New chat', async () => {
    outbox.add(firstSend({ isUnanswered: true }));
    beginConversation();
    expect(useComposerStore.getState().text).toBeNull();
    expect(outbox.all()).toHaveLength(1);
    expect(await visitHome()).not.toBe('draft-left');
    expect(await visitHome()).toBe('draft-left');
  });
});
