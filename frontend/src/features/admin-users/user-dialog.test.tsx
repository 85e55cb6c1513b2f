import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { AdminUser } from '@tanya/contract';
import { serve } from '../../app/api/fake-server';
import { account } from './fake-account';
import { UserDialog } from './user-dialog';
import { FakePage } from '../../components/layout/fake-page';

const budi: AdminUser = { ...account, id: 7, username: 'budi' };

const show = (user: AdminUser | null, own = false) => {
  const closed: string[] = [];
  render(
    <FakePage>
      <UserDialog user={user} own={own} onClose={() => closed.push('closed')} />
    </FakePage>,
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

  it('adds a service account, which has no password and no rights of an administrator', async () => {
    const user = userEvent.setup();
    show(null);
    await user.type(await screen.findByLabelText('Username'), 'robot');
    fireEvent.click(screen.getByRole('checkbox', { name: /^Service account/ }));
    await waitFor(() => expect(screen.queryByLabelText('Password')).toBeNull());
    expect(screen.queryByRole('checkbox', { name: /admin/i })).toBeNull();
    const bodies: unknown[] = [];
    globalThis.fetch = ((_address: string, { method, body }: RequestInit) => {
      if (method === 'POST') bodies.push(JSON.parse(body as string));
      return Promise.resolve({ ok: true, headers: { get: () => null }, text: () => Promise.resolve('[]') });
    }) as unknown as typeof fetch;
    await user.click(screen.getByRole('button', { name: 'Create User' }));
    await waitFor(() => expect(bodies).toEqual([{ username: 'robot', isPremium: false, isService: true }]));
  });

  it('closes without a request when nothing changed', async () => {
    const user = userEvent.setup();
    const closed = show(budi);
    await screen.findByRole('dialog', { name: 'Edit User' });
    await user.click(screen.getByRole('button', { name: 'Update User' }));
    await waitFor(() => expect(closed).toEqual(['closed']));
  });

  it('refuses a message limit out of bounds and sends a valid one', async () => {
    const user = userEvent.setup();
    const closed = show(budi);
    const requests = serve({ '/api/admin/users/7': budi });
    const limit = await screen.findByLabelText('Message limit');
    await user.type(limit, '-2');
    await user.click(screen.getByRole('button', { name: 'Update User' }));
    expect(await screen.findByText('A whole number from -1 to 1,000,000')).toBeDefined();
    expect(requests).toEqual([]);
    await user.clear(limit);
    await user.type(limit, '250');
    await user.click(screen.getByRole('button', { name: 'Update User' }));
    await waitFor(() => expect(closed).toEqual(['closed']));
    expect(requests[0]).toBe('/api/admin/users/7');
  });

  it('resets the usage after a confirmation and stays open', async () => {
    const user = userEvent.setup();
    const closed = show(budi);
    const requests = serve({ '/api/admin/users/7/reset-usage': budi });
    await user.click(await screen.findByRole('button', { name: 'Reset usage' }));
    const confirmation = within(await screen.findByRole('alertdialog', { name: 'Reset usage' }));
    expect(requests).toEqual([]);
    await user.click(confirmation.getByRole('button', { name: 'Reset usage' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(requests).toContain('/api/admin/users/7/reset-usage');
    expect(closed).toEqual([]);
  });

  it('offers no message limit for a new user', async () => {
    show(null);
    await screen.findByRole('dialog', { name: 'Add New User' });
    expect(screen.queryByLabelText('Message limit')).toBeNull();
  });

  it('leaves the own password and email to the account dialog', async () => {
    show({ ...budi, email: 'budi@example.org' }, true);
    await screen.findByRole('dialog', { name: 'Edit User' });
    for (const label of ['Password', 'Email']) {
      const field = screen.getByLabelText<HTMLInputElement>(label);
      expect(field.disabled).toBe(true);
      const hint = document.getElementById(field.getAttribute('aria-describedby') ?? '');
      expect(hint?.textContent).toBe('You can change it in your account settings.');
    }
    expect(screen.getByLabelText<HTMLInputElement>('Username').disabled).toBe(false);
    const rights = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Admin privileges' });
    expect(rights.disabled).toBe(true);
    const hint = document.getElementById(rights.getAttribute('aria-describedby') ?? '');
    expect(hint?.textContent).toBe('You can give up these rights in the row of your account.');
  });
});
