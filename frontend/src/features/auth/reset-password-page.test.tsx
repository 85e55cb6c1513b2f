import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { useDialogs } from '../../app/state/dialogs';
import { FakePage } from '../../components/layout/fake-page';
import { ResetPasswordPage } from './reset-password-page';

async function show(token: string, answer: unknown = { ok: true }) {
  serve({ '/api/password-reset/confirm': answer, '/api/general-settings': {} });
  render(
    <FakePage>
      <ResetPasswordPage token={token} />
    </FakePage>,
  );
  await screen.findByRole('heading');
  return userEvent.setup({ delay: null });
}

async function choose(user: ReturnType<typeof userEvent.setup>, password: string, repeated = password): Promise<void> {
  await user.type(screen.getByLabelText('New password'), password);
  await user.type(screen.getByLabelText('Confirm Password'), repeated);
  await user.click(screen.getByRole('button', { name: 'Set new password' }));
}

describe('ResetPasswordPage', () => {
  it('sets the password and offers the login', async () => {
    const user = await show('a-token');
    await choose(user, 'a quiet harbour');
    const title = await screen.findByRole('heading', { name: 'Password changed' });
    expect(document.activeElement).toBe(title);
    await user.click(screen.getByRole('link', { name: 'Login' }));
    expect(useDialogs.getState().open).toBe('login');
  });

  it('compares the two passwords and their length before the request', async () => {
    const user = await show('a-token');
    await choose(user, 'short', 'other');
    expect(await screen.findByText('Password must be at least 8 characters')).toBeDefined();
    expect(screen.getByText('Passwords do not match')).toBeDefined();
  });

  it.each([
    ['', { ok: true }],
    ['used', { statusCode: 400, code: 'reset_invalid', message: 'This link is no longer valid.' }],
  ])('offers a new link for the invalid token %j', async (token, answer) => {
    const user = await show(token, answer);
    if (token !== '') await choose(user, 'a quiet harbour');
    expect(await screen.findByRole('heading', { name: 'This link is no longer valid' })).toBeDefined();
    await user.click(screen.getByRole('link', { name: 'Request a new link' }));
    expect(useDialogs.getState().open).toBe('forgot-password');
  });

  it('shows a refused password at its field and keeps the form', async () => {
    const details = [{ field: 'newPassword', message: 'This password is too easy to guess.' }];
    const user = await show('a-token', { statusCode: 400, code: 'invalid', message: 'x', details });
    await choose(user, 'password1');
    expect(await screen.findByText('This password is too easy to guess.')).toBeDefined();
  });
});
