import { ChakraProvider, defaultSystem } from '@chakra-ui/react';
import { act, render, screen } from '@testing-library/react';
import type { User } from '@tanya/contract';
import { currentUserQuery } from '../../../../app/queries/user.query';
import { queryClient } from '../../../../app/queries/query-client';
import { announceAnswer } from './announcement-store';
import { AnswerAnnouncer } from './answer-announcer';
import { aiMessage } from '../../client/chat-fixtures';

test('announces an answer as plain text and clears it when the owner of the page changes', async () => {
  queryClient.setQueryData(currentUserQuery.queryKey, { id: 1 } as User);
  await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
  render(
    <ChakraProvider value={defaultSystem}>
      <AnswerAnnouncer threadId={1} />
    </ChakraProvider>,
  );
  await act(() => announceAnswer(aiMessage(2, 1, { content: '# Halo\n\n`npm` is **quick**' })));
  expect(screen.getByRole('log').textContent).toBe('Halo\nnpm is quick');
  await act(async () => {
    queryClient.setQueryData(currentUserQuery.queryKey, null);
    await new Promise((resolve) => setTimeout(resolve, 10));
  });
  expect(screen.getByRole('log').textContent).toBe('');
});
