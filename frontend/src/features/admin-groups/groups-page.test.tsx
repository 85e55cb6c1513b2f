import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Group } from '@tanya/contract';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { FakePage } from '../../components/layout/fake-page';
import GroupsPage from './groups-page';

const research: Group = {
  id: 3,
  name: 'Research',
  externalName: null,
  quotaOverride: null,
  budgetUsd: null,
  memberCount: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
};

function show() {
  queryClient.clear();
  const served: Record<string, unknown> = {
    '/api/admin/groups': [research],
    '/api/admin/groups/3': research,
    '/api/admin/groups/3/members': { userIds: [5], provided: [] },
    '/api/admin/identity-providers': [],
    '/api/admin/models': [],
    '/api/admin/users': [{ id: 5, username: 'budi', fullName: null, groupIds: [3] }],
  };
  serve(served);
  const sent: unknown[] = [];
  const server = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    if (typeof init?.body === 'string') sent.push(JSON.parse(init.body));
    return server(address, init);
  };
  render(
    <FakePage>
      <GroupsPage />
    </FakePage>,
  );
  return { served, sent, user: userEvent.setup({ delay: null }) };
}

it('keeps a removed person in the list, so that a slip can be undone at once', async () => {
  const { served, sent, user } = show();
  await user.click(await screen.findByRole('button', { name: 'Members of Research' }));
  const dialog = within(await screen.findByRole('dialog'));
  const remove = await dialog.findByRole('button', { name: 'Remove budi' });
  served['/api/admin/users'] = [];
  served['/api/admin/groups'] = [{ ...research, memberCount: 0 }];
  await user.click(remove);
  await screen.findByText('no members');
  const add = await dialog.findByRole('button', { name: 'Add budi' });
  expect(document.activeElement).toBe(add);
  await user.click(add);
  await dialog.findByRole('button', { name: 'Remove budi' });
  expect(sent).toEqual([{ remove: [5] }, { add: [5] }]);
});

it('says that the models are being loaded', async () => {
  show();
  const server = globalThis.fetch;
  globalThis.fetch = (address, init) =>
    address === '/api/admin/models' ? new Promise(() => undefined) : server(address, init);
  await screen.findByRole('status', { name: 'Loading models' });
});

it('sends the edited fields of a group alone', async () => {
  const { sent, user } = show();
  await user.click(await screen.findByRole('button', { name: 'Edit Research' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText('Messages of each member'), '50');
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual([{ quotaOverride: 50 }]);
});
