import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { sari } from '../../app/session/fake-user';
import { useDialogs } from '../../app/state/dialogs';
import { LoginForm } from './login-form';
import { FakePage } from '../../components/layout/fake-page';

const refusal = (code: string, message = code) => ({ statusCode: 401, code, message });

/** Answers the logins in order; the last answer repeats. Records their bodies. */
function show(...answers: unknown[]) {
  const sent: Record<string, unknown>[] = [];
  const left = [...answers];
  globalThis.fetch = (address, init) => {
    if (address === '/api/login') sent.push(JSON.parse(init?.body as string) as Record<string, unknown>);
    serve({ '/api/login': left.length > 1 ? left.shift() : left[0], '/api/session': { user: sari } });
    const answer = globalThis.fetch(address, init);
    globalThis.fetch = recorded;
    return answer;
  };
  const recorded = globalThis.fetch;
  const done: string[] = [];
  render(
    <FakePage>
      <LoginForm onDone={() => done.push('done')} />
    </FakePage>,
  );
  return { sent, done, user: userEvent.setup({ delay: null }) };
}

const login = () => screen.getByRole('button', { name: 'Login' });

async function enterPassword(user: ReturnType<typeof userEvent.setup>): Promise<void> {
  await user.type(screen.getByLabelText('Username or email'), 'sari');
  await user.type(screen.getByLabelText('Password'), 'secret-123');
  await user.click(login());
}

describe('LoginForm', () => {
  it('logs in without a code while none is asked for', async () => {
    const { sent, done, user } = show(sari);
    await enterPassword(user);
    await waitFor(() => expect(done).toEqual(['done']));
    expect(sent).toEqual([{ username: 'sari', password: 'secret-123', rememberMe: false }]);
  });

  it('asks for the code in a second step and sends it with the password', async () => {
    const { sent, done, user } = show(refusal('totp_required'), sari);
    await enterPassword(user);
    const code = await screen.findByLabelText<HTMLInputElement>('Authentication code');
    expect(document.activeElement).toBe(code);
    expect([code.autocomplete, code.inputMode]).toEqual(['one-time-code', 'numeric']);
    expect(screen.queryByLabelText('Password')).toBeNull();
    await user.type(code, '123456{Enter}');
    await waitFor(() => expect(done).toEqual(['done']));
    expect(sent[1]).toEqual({ username: 'sari', password: 'secret-123', rememberMe: false, code: '123456' });
  });

  it('shows a wrong code at its field and accepts a recovery code', async () => {
    const { sent, done, user } = show(refusal('totp_required'), refusal('totp_invalid', 'This code is wrong.'), sari);
    await enterPassword(user);
    await user.type(await screen.findByLabelText('Authentication code'), '000000{Enter}');
    expect(await screen.findByText('This code is wrong.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    const code = screen.getByLabelText<HTMLInputElement>('Recovery code');
    expect(code.inputMode).toBe('text');
    await user.clear(code);
    await user.type(code, 'abcd-efgh{Enter}');
    await waitFor(() => expect(done).toEqual(['done']));
    expect(sent.at(-1)).toMatchObject({ code: 'abcd-efgh' });
  });

  it('returns to the password on request, and when the password has changed', async () => {
    const { user } = show(refusal('totp_required'), refusal('totp_required'), refusal('invalid_credentials'));
    await enterPassword(user);
    await screen.findByLabelText('Authentication code');
    await user.click(screen.getByRole('button', { name: 'Back to the password' }));
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('secret-123');
    await user.click(login());
    await user.type(await screen.findByLabelText('Authentication code'), '000000{Enter}');
    expect(await screen.findByLabelText('Password')).toBeDefined();
  });

  it('marks the password field after a wrong password, until the next try', async () => {
    const { done, user } = show(refusal('invalid_credentials'), sari);
    await enterPassword(user);
    const mark = await screen.findByText('Check the name and the password.');
    const password = screen.getByLabelText('Password');
    expect([password.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', password]);
    await user.click(login());
    await waitFor(() => expect(done).toEqual(['done']));
    expect(mark.isConnected).toBe(false);
  });

  it('keeps another refusal above the fields, until the next try', async () => {
    const { done, user } = show(refusal('account_suspended', 'Your account is suspended.'), sari);
    await enterPassword(user);
    const message = await screen.findByText('Your account is suspended.');
    await user.click(login());
    await waitFor(() => expect(done).toEqual(['done']));
    expect(message.isConnected).toBe(false);
  });

  it('opens the dialog for a forgotten password', async () => {
    const { user } = show(sari);
    await user.click(screen.getByRole('button', { name: 'Forgot password?' }));
    expect(useDialogs.getState().open).toBe('forgot-password');
  });
});
