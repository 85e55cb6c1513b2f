import { TEXTS, type User } from '@tanya/contract';
import { cleanup, render, screen } from '@testing-library/react';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery, quotaQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { FakePage } from '../../../components/layout/fake-page';
import type { PendingRequest, PendingSend, SendError } from '../client/outbox-store';
import { type ConversationActions, ConversationContext } from '../shared/conversation-context';
import { SentMessage, ThinkingMessage } from './pending-message';

const start: PendingRequest = {
  event: 'generation:start',
  payload: { clientMessageId: 'a', threadId: null, model: 'm', content: { text: 'halo' } },
};
const regenerate: PendingRequest = {
  event: 'generation:regenerate',
  payload: { clientMessageId: 'a', messageId: 2 },
};

const quota = { used: 1, max: 3, remaining: 2, resetsAt: null };

beforeEach(() => {
  serve({ '/api/general-settings': { links: {} } });
  queryClient.clear();
  queryClient.setQueryData(quotaQuery.queryKey, quota);
  queryClient.setQueryData(currentUserQuery.queryKey, null);
});

const sendOf = (change: Partial<PendingSend>): PendingSend => ({
  clientMessageId: 'a',
  owner: 'guest',
  conversation: 'draft',
  request: start,
  createdAt: '2026-01-01T00:00:00Z',
  state: 'waiting',
  error: null,
  ...change,
});

/** Shows the rows of a send; returns the names of its buttons. */
function show(change: Partial<PendingSend>): string[] {
  cleanup();
  const send = sendOf(change);
  render(
    <FakePage>
      <ConversationContext value={{} as ConversationActions}>
        {send.request === start && <SentMessage send={send} content={{ text: 'halo' }} />}
        <ThinkingMessage send={send} />
      </ConversationContext>
    </FakePage>,
  );
  return screen.queryAllByRole('button').map(({ textContent }) => textContent);
}

const refused = (code: SendError['code']): Partial<PendingSend> => ({
  state: 'failed',
  error: { code, message: 'Refused.' },
});

test('a message that has not left can be edited', () => {
  expect(show({})).toEqual(['Edit']);
});

test('a message that may have been accepted can only be sent again', () => {
  expect(show({ isUnanswered: true })).toEqual([]);
  expect(show({ ...refused('timeout'), isUnanswered: true })).toEqual(['Retry']);
});

test('the refusal of a tool offers no Retry', () => {
  expect(show(refused('tool_not_found'))).toEqual(['Edit']);
  expect(show({ ...refused('tool_not_found'), request: regenerate })).toEqual(['Dismiss']);
});

test('the refusal of a model that is gone names it, and offers to send with the chosen one', () => {
  expect(show(refused('model_unavailable'))).toEqual(['Send with the chosen model', 'Edit']);
  expect(screen.getByText('m is no longer available.')).toBeDefined();
  expect(show({ ...refused('model_unavailable'), request: regenerate })).toEqual(['Dismiss']);
});

test('a message that waits for the end of an answer can be cancelled', () => {
  expect(show({ state: 'queued' })).toEqual(['Cancel']);
  expect(screen.getByText('Sent after this answer')).toBeDefined();
});

test('the refusal of a premium model offers the upgrade, and Retry after it', () => {
  expect(show(refused('model_premium'))).toEqual([TEXTS.chat.upgrade, 'Edit']);
  const premium: User = { ...sari, isPremium: true };
  queryClient.setQueryData(currentUserQuery.queryKey, premium);
  expect(show(refused('model_premium'))).toEqual(['Retry', 'Edit']);
});

test('without messages left, a message that waits or needs a change can be edited', () => {
  queryClient.setQueryData(quotaQuery.queryKey, { ...quota, remaining: 0 });
  expect(show({})).toEqual(['Edit']);
  expect(show(refused('model_unavailable'))).toEqual(['Edit']);
});

test('a message that can be retried stays in the conversation while there is no composer for its text', () => {
  queryClient.setQueryData(quotaQuery.queryKey, { ...quota, remaining: 0 });
  expect(show(refused('quota_exceeded'))).toEqual([TEXTS.chat.upgrade, 'Retry']);
  expect(show({ ...refused('quota_exceeded'), request: regenerate })).toEqual([TEXTS.chat.upgrade, 'Retry', 'Dismiss']);
});

test.each<[string, User | null, string[], string]>([
  ['a guest', null, [TEXTS.chat.upgrade], 'Refused.'],
  ['a free member', sari, [TEXTS.chat.upgrade], 'Refused.'],
  ['a premium member', { ...sari, isPremium: true }, [], 'Please contact the administrator.'],
  ['an admin', { ...sari, isAdmin: true }, [], 'Raise the limit to go on.'],
])('the refusal of %s without messages fits the plan', (_, user, upgrade, sentence) => {
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  expect(show(refused('quota_exceeded'))).toEqual([...upgrade, 'Retry', 'Edit']);
  expect(screen.getByText(new RegExp(sentence))).toBeDefined();
});

test('only a message that is being sent has the placeholder of an answer', () => {
  const hasDots = (change: Partial<PendingSend>) => {
    show(change);
    return screen.queryByTestId('thinking') !== null;
  };
  expect(hasDots({ state: 'sending' })).toBe(true);
  expect(hasDots({ state: 'waiting' })).toBe(false);
  expect(screen.queryAllByRole('article')).toHaveLength(1);
  expect(hasDots({ state: 'waiting', request: regenerate })).toBe(false);
  expect(screen.getByText('Will be sent when the connection is back.')).toBeDefined();
});
