import { act, render, screen, waitFor } from '@testing-library/react';
import type { Message, User } from '@tanya/contract';
import { currentUserQuery } from '../../../../app/queries/user.query';
import { queryClient } from '../../../../app/queries/query-client';
import { AnswerAnnouncer } from './answer-announcer';
import { announce } from './announcement-store';
import { announceAnswer, startAnnouncements } from './start-announcements';
import { sari } from '../../../../app/session/fake-user';
import { aiMessage } from '../../client/chat-fixtures';
import { outbox } from '../../client/outbox-store';
import { FakeTheme } from '../../../../components/layout/fake-theme';

startAnnouncements();

beforeEach(async () => {
  queryClient.setQueryData(currentUserQuery.queryKey, { id: 1 } as User);
  // React Query has queued its notice of another owner by now, which clears the announcement.
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  render(
    <FakeTheme>
      <AnswerAnnouncer conversation="1" />
    </FakeTheme>,
  );
});

afterEach(() => act(() => outbox.remove('a')));

const announced = () => screen.getByRole('log').textContent;

test('announces an answer as plain text and clears it when the owner of the page changes', async () => {
  await act(() => announceAnswer(aiMessage(2, 1, { content: '# Halo\n\n`npm` is **quick**' })));
  expect(announced()).toBe('Halo\nnpm is quick');
  act(() => void queryClient.setQueryData(currentUserQuery.queryKey, null));
  await waitFor(() => expect(announced()).toBe(''));
});

const error = { code: 'provider_error', message: 'The provider is not available.', retryable: true } as const;
const image = JSON.stringify({ text: '', type: 'image_generation', imageUrl: '/uploads/a.png' });

test.each<[string, Partial<Message>, string]>([
  ['a failed answer', { status: 'error', content: '', error }, error.message],
  [
    'an interrupted answer',
    { status: 'interrupted', content: 'So' },
    'So\nThis answer was interrupted before it was complete.',
  ],
  ['a generated image', { content: image }, 'Generated image'],
  [
    'an answer with an image',
    { content: 'Here', parts: [{ type: 'image', url: '/uploads/a.png', alt: 'A ship' }] },
    'Here\nGenerated image',
  ],
])('announces %s', async (_, change, text) => {
  await act(() => announceAnswer(aiMessage(2, 1, change)));
  expect(announced()).toBe(text);
});

/** Adds a message that waits for a connection. */
function addWaiting(): void {
  const payload = { clientMessageId: 'a', threadId: 1, model: 'm', content: { text: 'halo' } };
  outbox.add({
    clientMessageId: 'a',
    owner: 'user:1',
    conversation: '1',
    request: { event: 'generation:start', payload },
    createdAt: '2026-01-01T00:00:00Z',
    state: 'waiting',
    error: null,
  });
}

test('announces that a message waits or was refused, each time', () => {
  act(addWaiting);
  expect(announced()).toBe('Will be sent when the connection is back.');
  act(() => void outbox.patch('a', { state: 'sending' }));
  expect(announced()).toBe('');
  for (const [retryAfter, time] of [
    [5, '5 s'],
    [600, '10 min'],
    [85_686, '24 h'],
  ] as const) {
    const error = { code: 'rate_limited', message: 'Too many messages.', retryAfter } as const;
    act(() => void outbox.patch('a', { state: 'failed', error }));
    expect(announced()).toBe(`Too many messages. Try again in ${time}.`);
    act(() => void outbox.patch('a', { state: 'sending' }));
  }
});

test('announces at its start that a message waits already', async () => {
  act(addWaiting);
  act(() => announce('1', ''));
  act(startAnnouncements);
  await waitFor(() => expect(announced()).toBe('Will be sent when the connection is back.'));
});

test.each<[string, User, string]>([
  ['free', sari, 'Refused.'],
  ['premium', { ...sari, isPremium: true }, 'You have used all of your messages. Please contact the administrator.'],
  ['admin', { ...sari, isAdmin: true }, 'You have used all of your messages. Raise the limit to go on.'],
])('announces the refusal without messages as it is shown, for the plan %s', (_, user, sentence) => {
  act(() => void queryClient.setQueryData(currentUserQuery.queryKey, user));
  act(addWaiting);
  act(() => void outbox.patch('a', { state: 'failed', error: { code: 'quota_exceeded', message: 'Refused.' } }));
  expect(announced()).toBe(sentence);
});
