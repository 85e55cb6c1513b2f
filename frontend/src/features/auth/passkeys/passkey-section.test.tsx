import type { Passkey } from '@tanya/contract';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { FakePage } from '../../../components/layout/fake-page';
import { PasskeySection } from './passkey-section';

const phone: Passkey = { id: 1, name: 'Phone', createdAt: '2026-11-20T10:00:00.000Z', lastUsedAt: null };
const key: Passkey = { ...phone, id: 2, name: 'Key', lastUsedAt: '2026-11-21T10:00:00.000Z' };

function show(answers: Record<string, unknown>) {
  serve({ '/api/user/passkeys': [key, phone], ...answers });
  render(
    <FakePage>
      <PasskeySection />
    </FakePage>,
  );
  return userEvent.setup({ delay: null });
}

beforeEach(() => queryClient.clear());

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
});

test('lists the passkeys, and removes one with the password alone', async () => {
  const user = show({ '/api/user/passkeys/2': null });
  const list = await screen.findByRole('list', { name: 'Passkeys' });
  expect(within(list).getByText(/not used yet/)).toBeDefined();
  await user.click(within(list).getByRole('button', { name: 'Remove Key' }));
  expect(within(list).queryByLabelText('Authentication code')).toBeNull();
  await user.type(within(list).getByLabelText('Your password'), 'secret-123{Enter}');
  await waitFor(() => expect(within(list).queryByText('Key')).toBeNull());
  expect(within(list).getByText('Phone')).toBeDefined();
});

test('asks for the password of a session that did not sign in lately', async () => {
  const message = 'Please enter your password, or sign in again.';
  const user = show({ '/api/user/passkeys/2': { statusCode: 403, code: 'reauthentication_required', message } });
  await user.click(await screen.findByRole('button', { name: 'Remove Key' }));
  await user.click(screen.getByRole('button', { name: 'Remove Key' }));
  expect(await screen.findByText(message)).toBeDefined();
});

test('offers to add one only where the browser has passkeys', async () => {
  show({});
  expect(await screen.findByText('This browser cannot add passkeys at this address.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('needs a name for a new passkey', async () => {
  Object.assign(globalThis, { PublicKeyCredential: class {} });
  const user = show({});
  await user.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  await user.click(screen.getByRole('button', { name: 'Create passkey' }));
  expect(await screen.findByText('Enter a name')).toBeDefined();
});
