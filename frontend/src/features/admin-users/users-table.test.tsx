import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { TEXTS, type AdminUser, type User } from '@tanya/contract';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { createTheme } from '../../app/theme/theme';
import { UsersTable } from './users-table';

const admin: AdminUser = {
  id: 1,
  username: 'admin',
  fullName: null,
  email: null,
  phoneNumber: null,
  isPremium: true,
  isAdmin: true,
  messageCount: 1234,
  createdAt: '2026-01-01T00:00:00.000Z',
};
const budi: AdminUser = {
  ...admin,
  id: 2,
  username: 'budi',
  fullName: 'Budi Santoso',
  email: 'budi@example.org',
  isPremium: false,
  isAdmin: false,
};

function show(users: AdminUser[] | null): { asked: string[]; opened: string[] } {
  queryClient.clear();
  queryClient.setQueryData(['user'], admin satisfies User);
  const asked = serve(users ? { '/api/admin/users': users } : {});
  const opened: string[] = [];
  render(
    <ChakraProvider value={createTheme()}>
      <QueryClientProvider client={queryClient}>
        <UsersTable onOpen={(kind, user) => opened.push(`${kind} ${user.username}`)} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return { asked, opened };
}

/** Nothing has a width in jsdom, so each user is a card, as on a phone. */
const cardOf = async (name: string) =>
  within(await waitFor(() => screen.getByText(name).closest('li')!, { timeout: 5_000 }));

describe('UsersTable', () => {
  it('names people, how to reach them and what they are', async () => {
    show([admin, budi]);
    const second = await cardOf('Budi Santoso');
    for (const text of ['budi', 'budi@example.org', 'User', 'Free']) expect(second.getByText(text)).toBeDefined();
    const first = await cardOf('admin');
    for (const text of [TEXTS.users.noContact, 'Admin', 'Premium']) expect(first.getByText(text)).toBeDefined();
  });

  it('lets nobody delete their own account', async () => {
    const { opened } = show([admin, budi]);
    const deletion = async (name: string) =>
      (await cardOf(name)).getByRole<HTMLButtonElement>('button', { name: 'Delete' });
    expect((await deletion('admin')).disabled).toBe(true);
    await userEvent.setup().click(await deletion('Budi Santoso'));
    expect(opened).toEqual(['delete budi']);
  });

  it('asks before admins take their own rights', async () => {
    const { opened } = show([admin, budi]);
    await userEvent.setup().click((await cardOf('admin')).getByRole('button', { name: 'Remove Admin' }));
    expect(opened).toEqual(['demote admin']);
  });

  it('searches on the server and says when nobody matches', async () => {
    const { asked } = show([]);
    expect(await screen.findByText(TEXTS.users.empty)).toBeDefined();
    await userEvent.setup().type(screen.getByLabelText('Search users'), 'nobody');
    expect(await screen.findByText('No user matches your search.')).toBeDefined();
    expect(asked.at(-1)).toContain('query=nobody');
  });

  it('says that users could not be read and tries again', async () => {
    const { asked } = show(null);
    expect((await screen.findAllByText(TEXTS.users.fetchError)).length).toBeGreaterThan(0);
    const before = asked.length;
    await userEvent.setup().click(screen.getByRole('button', { name: /try again/i }));
    await waitFor(() => expect(asked.length).toBe(before + 1));
  });
});
