import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { currentUserQuery } from '../../app/queries/user.query';
import { sari } from '../../app/session/fake-user';
import { writeDraft } from '../../app/storage/drafts';
import { FakeRoute } from '../layout/fake-route';
import LogoutDialog from './logout-dialog';

const LOGOUT = '/api/logout';

function show(answer: unknown) {
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  const requests = serve({ [LOGOUT]: answer });
  const closed: true[] = [];
  render(
    <FakeRoute>
      <LogoutDialog onClose={() => closed.push(true)} />
    </FakeRoute>,
  );
  return { requests, closed, user: userEvent.setup() };
}

beforeEach(() => localStorage.clear());

test('logs out at once where no draft has text', async () => {
  const { requests } = show({});
  await waitFor(() => expect(queryClient.getQueryData(currentUserQuery.queryKey)).toBeNull());
  expect(requests.filter((path) => path === LOGOUT)).toHaveLength(1);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('closes when the logout fails', async () => {
  const { requests, closed } = show({ statusCode: 500, code: 'internal', message: 'Failed.' });
  await waitFor(() => expect(closed).toHaveLength(1));
  expect(requests).toEqual([LOGOUT]);
});

test('asks before a logout that removes the text of a draft', async () => {
  writeDraft('user:1', '7', 'Begun');
  const { requests, closed, user } = show({});
  await screen.findByRole('alertdialog', { name: 'Logout' });
  expect(requests).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(closed).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(requests).toContain(LOGOUT));
});
