import { jest } from '@jest/globals';
import type { Passkey } from '@tanya/contract';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useForm } from 'react-hook-form';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { currentUserQuery } from '../../app/queries/user.query';
import { sari } from '../../app/session/fake-user';
import { FakePage } from '../layout/fake-page';

const startAuthentication = jest.fn(() => Promise.resolve({ id: 'an assertion' }));
jest.unstable_mockModule('@simplewebauthn/browser', () => ({ startAuthentication }));
jest.unstable_mockModule('../../app/socket/socket', () => ({ reconnectSocket: () => undefined }));
const { CurrentPassword } = await import('./current-password');

const phone: Passkey = { id: 1, name: 'Phone', createdAt: '2026-11-20T10:00:00.000Z', lastUsedAt: null };
const submitted = jest.fn();

function Form() {
  const form = useForm({ defaultValues: { password: '' } });
  return (
    <form onSubmit={form.handleSubmit((values) => submitted(values))}>
      <CurrentPassword form={form} name="password" label="Your password" />
    </form>
  );
}

function show(user: object, passkeys: Passkey[], answers: Record<string, unknown> = {}) {
  queryClient.setQueryData(currentUserQuery.queryKey, { ...sari, ...user });
  const requested = serve({
    '/api/user/passkeys': passkeys,
    '/api/login/passkey/options': { challenge: 'x' },
    '/api/login/passkey': sari,
    ...answers,
  });
  render(
    <FakePage>
      <Form />
    </FakePage>,
  );
  return requested;
}

const button = () => screen.findByRole('button', { name: 'Confirm with a passkey' });

beforeEach(() => {
  queryClient.clear();
  jest.clearAllMocks();
  Object.assign(globalThis, { PublicKeyCredential: class {} });
});

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
});

test('a passkey goes on with the form, without what was typed', async () => {
  const user = userEvent.setup({ delay: null });
  show({}, [phone]);
  await user.type(await screen.findByLabelText('Your password'), 'a wrong one');
  await user.click(await button());
  await waitFor(() => expect(submitted).toHaveBeenCalledWith({ password: '' }));
});

test('a passkey that the server refuses leaves the form as it is', async () => {
  const user = userEvent.setup({ delay: null });
  const refusal = { statusCode: 401, code: 'invalid_credentials', message: 'This passkey was not accepted.' };
  show({}, [phone], { '/api/login/passkey': refusal });
  await user.click(await button());
  await waitFor(() => expect(startAuthentication).toHaveBeenCalled());
  expect(await button()).toBeDefined();
  expect(submitted).not.toHaveBeenCalled();
});

test('people without a passkey have the password alone', async () => {
  const requested = show({}, []);
  await waitFor(() => expect(requested).toContain('/api/user/passkeys'));
  await screen.findByLabelText('Your password');
  expect(screen.queryByRole('button', { name: 'Confirm with a passkey' })).toBeNull();
});

test('browsers without passkeys ask for none', async () => {
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
  const requested = show({}, [phone]);
  await screen.findByLabelText('Your password');
  expect(requested).not.toContain('/api/user/passkeys');
});

test('passkeys are not asked for where the server does not list them yet', async () => {
  const requested = show({ mustChangePassword: true }, [phone]);
  await screen.findByLabelText('Your password');
  expect(requested).not.toContain('/api/user/passkeys');
});
