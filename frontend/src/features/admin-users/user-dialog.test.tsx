import { ChakraProvider } from '@chakra-ui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { AdminUser } from '@tanya/contract';
import { queryClient } from '../../app/queries/query-client';
import { createTheme } from '../../app/theme/theme';
import { UserDialog } from './user-dialog';

const budi: AdminUser = {
  id: 7,
  username: 'budi',
  fullName: null,
  email: null,
  phoneNumber: null,
  isPremium: false,
  isAdmin: false,
  messageCount: 0,
  hasTotp: false,
  language: null,
  isApproved: true,
  isSuspended: false,
  quotaOverride: null,
  lastSeenAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};

const show = (user: AdminUser | null) => {
  const closed: string[] = [];
  render(
    <ChakraProvider value={createTheme()}>
      <QueryClientProvider client={queryClient}>
        <UserDialog user={user} onClose={() => closed.push('closed')} />
      </QueryClientProvider>
    </ChakraProvider>,
  );
  return closed;
};

const isDisabled = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-disabled') === 'true';

describe('UserDialog', () => {
  it('requires a user name and a password', async () => {
    const user = userEvent.setup();
    show(null);
    await screen.findByRole('dialog', { name: 'Add New User' });
    expect(isDisabled('Create User')).toBe(true);
    await user.type(screen.getByLabelText('Username'), 'siti');
    expect(isDisabled('Create User')).toBe(true);
    await user.type(screen.getByLabelText('Password'), 'secret-123');
    expect(isDisabled('Create User')).toBe(false);
  });

  it('closes without a request when nothing changed', async () => {
    const user = userEvent.setup();
    const closed = show(budi);
    await screen.findByRole('dialog', { name: 'Edit User' });
    await user.click(screen.getByRole('button', { name: 'Update User' }));
    await waitFor(() => expect(closed).toEqual(['closed']));
  });
});
