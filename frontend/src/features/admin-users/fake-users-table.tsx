import type { AdminUser, User } from '@tanya/contract';
import { render, screen, waitFor, within } from '@testing-library/react';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { FakeRoute } from '../../components/layout/fake-route';
import { account } from './fake-account';
import { UsersTable } from './users-table';

export const admin: AdminUser = { ...account, username: 'admin', isPremium: true, isAdmin: true, messageCount: 1234 };
export const budi: AdminUser = {
  ...admin,
  id: 2,
  username: 'budi',
  fullName: 'Budi Santoso',
  email: 'budi@example.org',
  isPremium: false,
  isAdmin: false,
};

export function show(users: AdminUser[] | null): { requests: string[]; opened: string[] } {
  const requests = serve(users ? { '/api/admin/users': users } : {});
  return { requests, opened: renderTable() };
}

export function renderTable(): string[] {
  queryClient.clear();
  queryClient.setQueryData(['user'], admin satisfies User);
  const opened: string[] = [];
  render(
    <FakeRoute>
      <UsersTable onOpen={(kind, user) => opened.push(`${kind} ${user.username}`)} />
    </FakeRoute>,
  );
  return opened;
}

/** Elements have no width in jsdom, so each user is a card, as on a phone. */
export const cardOf = async (name: string) => within(await waitFor(() => screen.getByText(name).closest('li')!));
