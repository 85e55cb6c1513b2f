import { ChakraProvider, defaultSystem } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import type { PendingSend } from '../client/outbox-store';
import { type ConversationActions, ConversationContext } from '../shared/conversation-context';
import { SentMessage } from './pending-message';

function show(change: Partial<PendingSend>): string[] {
  const payload = { clientMessageId: 'a', threadId: null, model: 'm', content: { text: 'halo' } };
  const send: PendingSend = {
    clientMessageId: 'a',
    owner: 'guest',
    conversation: 'draft',
    request: { event: 'generation:start', payload },
    createdAt: '2026-01-01T00:00:00Z',
    state: 'waiting',
    error: null,
    ...change,
  };
  render(
    <ChakraProvider value={defaultSystem}>
      <ConversationContext value={{} as ConversationActions}>
        <SentMessage send={send} content={{ text: 'halo' }} />
      </ConversationContext>
    </ChakraProvider>,
  );
  return screen.queryAllByRole('button').map(({ textContent }) => textContent);
}

const error = { code: 'timeout', message: 'No answer.' } as const;

test('a message that has not left can be edited', () => {
  expect(show({})).toEqual(['Edit']);
});

test('a message that may have been accepted can only be sent again', () => {
  expect(show({ isUnanswered: true })).toEqual([]);
  document.body.replaceChildren();
  expect(show({ state: 'failed', error, isUnanswered: true })).toEqual(['Retry']);
});
