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
  regenerate: noop,
  edit: noop,
  showVersion: noop,
  retry: noop,
  withdraw: noop,
};

function show(status: Message['status']) {
  serve({ '/api/models': [] });
  render(
    <ChakraProvider value={createTheme()}>
      <QueryClientProvider client={queryClient}>
        <ConversationContext value={actions}>
          <AiMessage message={aiMessage(2, 1, { status, content: '' })} />
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
