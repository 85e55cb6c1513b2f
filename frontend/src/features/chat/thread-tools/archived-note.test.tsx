import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { threadsQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { fakeThread } from '../../../app/queries/fake-thread';
import { sari } from '../../../app/session/fake-user';
import { ArchivedNote } from './archived-note';
import { FakePage } from '../../../components/layout/fake-page';

test('an archived chat says so, and comes back on request', async () => {
  const archived = fakeThread(2, { isArchived: true });
  const answers: Record<string, unknown> = { '/api/chat/threads': [], '/api/chat/threads/2': archived };
  serve(answers);
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  await queryClient.fetchInfiniteQuery(threadsQuery());
  render(
    <FakePage>
      <ArchivedNote threadId={2} />
    </FakePage>,
  );
  const note = await screen.findByRole('note');
  expect(note.textContent).toContain('This chat is archived.');
  answers['/api/chat/threads/2'] = { ...archived, isArchived: false };
  await userEvent.setup().click(screen.getByRole('button', { name: 'Unarchive' }));
  await waitFor(() => expect(screen.queryByRole('note')).toBeNull());
});
