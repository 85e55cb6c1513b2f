import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { Message } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { createTheme } from '../../../app/theme/theme';
import { AiMessage } from './ai-message';
import { aiMessage } from '../client/chat-fixtures';
import { ConversationContext } from '../shared/conversation-context';

const noop = () => undefined;
const actions = {
  isIdle: true,
  continueAnswer: noop,
  regenerate: noop,
  edit: noop,
  showVersion: noop,
  retry: noop,
  withdraw: noop,
};

function show(status: Message['status'], { content = '', isNewest = true } = {}) {
  serve({ '/api/models': [] });
  render(
    <ChakraProvider value={createTheme()}>
      <QueryClientProvider client={queryClient}>
        <ConversationContext value={actions}>
          <AiMessage message={aiMessage(2, 1, { status, content })} isNewest={isNewest} />
        </ConversationContext>
      </QueryClientProvider>
    </ChakraProvider>,
  );
}

const has = (name: string) => screen.queryByRole('button', { name }) !== null;

test('a complete answer offers Regenerate', () => {
  show('complete');
  expect([has('Regenerate'), has('Retry')]).toEqual([true, false]);
});

test.each(['stopped', 'interrupted', 'error'] as const)('an answer with status %s offers Retry', (status) => {
  show(status);
  expect([has('Regenerate'), has('Retry')]).toEqual([false, true]);
});

test.each([
  { status: 'stopped', content: 'It began', isNewest: true, isOffered: true },
  { status: 'interrupted', content: 'It began', isNewest: true, isOffered: true },
  { status: 'stopped', content: '', isNewest: true, isOffered: false },
  { status: 'stopped', content: 'It began', isNewest: false, isOffered: false },
  { status: 'error', content: 'It began', isNewest: true, isOffered: false },
] as const)('Continue: $isOffered for $status with “$content”, newest: $isNewest', async (example) => {
  const { status, content, isNewest, isOffered } = example;
  show(status, { content, isNewest });
  if (content) await screen.findByText(content, undefined, { timeout: 30_000 });
  expect([has('Continue'), has('Retry')]).toEqual([isOffered, true]);
});
