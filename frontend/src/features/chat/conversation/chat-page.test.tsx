import { jest } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { FakePage } from '../../../components/layout/fake-page';
import { aiMessage, quota, userMessage } from '../client/chat-fixtures';
import { outbox, type PendingSend } from '../client/outbox-store';

// jsdom has no layout.
Element.prototype.scrollTo = () => undefined;

jest.unstable_mockModule('../../../app/socket/socket', () => import('../../../app/socket/fake-socket'));
const { ChatPage } = await import('./chat-page');

const refused: PendingSend = {
  clientMessageId: 'a',
  owner: 'user:1',
  conversation: '1',
  request: {
    event: 'generation:start',
    payload: { clientMessageId: 'a', threadId: 1, model: 'm', content: { text: 'The last question' } },
  },
  createdAt: '2026-01-01T00:00:00Z',
  state: 'failed',
  error: { code: 'rate_limited', message: 'Too many messages.' },
};

/** Shows a thread with one answered question and the pending sends. */
async function show(pending: PendingSend[]) {
  queryClient.clear();
  localStorage.clear();
  serve({
    '/api/models': [],
    '/api/user/quota': quota,
    '/api/general-settings': { links: {} },
    '/api/chat/threads/1': { id: 1, title: 'Ships', tools: [] },
    '/api/chat/threads/1/messages': [userMessage(1, null), aiMessage(2, 1)],
    '/api/tools': [],
  });
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  queryClient.setQueryData(threadMessagesQuery(1).queryKey, {
    items: [userMessage(1, null), aiMessage(2, 1)],
    nextCursor: null,
  });
  outbox.store.setState({ pending });
  render(
    <FakePage path="/chat/1">
      <ChatPage threadId={1} />
    </FakePage>,
  );
  await screen.findByText('question 1');
  return { composer: screen.getByLabelText<HTMLTextAreaElement>('Message'), user: userEvent.setup() };
}

test('Arrow-up takes a refused last message back', async () => {
  const { composer, user } = await show([refused]);
  await user.click(composer);
  await user.keyboard('{ArrowUp}');
  await waitFor(() => expect(composer.value).toBe('The last question'));
  expect(outbox.all()).toEqual([]);
  expect(screen.queryByLabelText('Edit your message')).toBeNull();
});

test('Arrow-up edits the last message', async () => {
  const { composer, user } = await show([]);
  await user.click(composer);
  await user.keyboard('{ArrowUp}');
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Edit your message')).value).toBe('question 1');
});

test('A new chat shows its project', async () => {
  queryClient.clear();
  serve({
    '/api/models': [],
    '/api/user/quota': quota,
    '/api/user/preferences': { modelId: null, aboutMe: '', howToAnswer: '', useInstructions: true },
    '/api/general-settings': { links: {} },
    '/api/projects/12': { id: 12, name: 'Harbour', role: 'owner', tools: [] },
    '/api/tools': [],
  });
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  outbox.store.setState({ pending: [] });
  render(
    <FakePage path="/">
      <ChatPage threadId={null} projectId={12} />
    </FakePage>,
  );
  expect(await screen.findByText('Harbour')).toBeTruthy();
});
