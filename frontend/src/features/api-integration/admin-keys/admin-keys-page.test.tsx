import { screen, render, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { AdminApiKey } from '@tanya/contract';
import { queryClient } from '../../../app/queries/query-client';
import { FakeRoute } from '../../../components/layout/fake-route';
import AdminKeysPage from './admin-keys-page';

const nightly: AdminApiKey = {
  id: 3,
  name: 'Nightly report',
  userId: 7,
  username: 'robot',
  isService: true,
  isReadable: false,
  scope: 'api',
  createdAt: '2026-11-01T08:00:00.000Z',
  lastUsedAt: null,
  expiresAt: null,
  messageCap: 100,
  messagesUsed: 12,
  budgetUsd: '5',
  spentUsd: '1.5',
  models: null,
  requestsPerMinute: -1,
  tokensPerMinute: null,
  adminLimits: {},
};

const automation: AdminApiKey = { ...nightly, id: 2, name: 'Automation', isService: false, scope: 'admin' };

interface Call {
  method: string;
  address: string;
  body: unknown;
}

/** Serves the keys, and the service accounts, one a page. Returns the calls. */
function show(keys: AdminApiKey[], services: object[] = [], path?: string): Call[] {
  queryClient.clear();
  const calls: Call[] = [];
  globalThis.fetch = ((address: string, { method = 'GET', body }: RequestInit = {}) => {
    calls.push({ method, address, body: body === undefined ? undefined : JSON.parse(body as string) });
    const isServices = method === 'GET' && address.startsWith('/api/admin/users');
    const page = Number(new URLSearchParams(address.split('?')[1]).get('before'));
    const answer =
      method === 'POST'
        ? { ...nightly, key: 'tk_the-whole-key' }
        : isServices
          ? services.slice(page, page + 1)
          : address.startsWith('/api/models')
            ? []
            : keys;
    return Promise.resolve({
      ok: true,
      status: 200,
      headers: {
        get: (name: string) =>
          isServices && name === 'X-Next-Cursor' && page + 1 < services.length ? String(page + 1) : null,
      },
      text: () => Promise.resolve(JSON.stringify(answer)),
    });
  }) as unknown as typeof fetch;
  render(
    <FakeRoute path={path}>
      <AdminKeysPage />
    </FakeRoute>,
  );
  return calls;
}

const entries = async () =>
  within(await screen.findByRole('list', { name: 'Keys of people and services' })).getAllByRole('listitem');

it('shows who has a key, its last use and its limits', async () => {
  show([nightly, automation]);
  const [first, second] = await entries();
  for (const text of ['Service', 'robot', '12 of 100', '$1.50 of $5.00', 'All models', 'Unlimited'])
    expect(within(first!).getByText(text)).toBeDefined();
  expect(within(first!).getAllByText('Never')).toHaveLength(2);
  expect(within(second!).getByText('Administration')).toBeDefined();
  expect(within(second!).queryByText('All models')).toBeNull();
});

it('is narrowed to a person and by a search, as its file is', async () => {
  const calls = show([nightly]);
  const user = userEvent.setup();
  const [entry] = await entries();
  await user.click(within(entry!).getByRole('button', { name: 'robot' }));
  await waitFor(() => expect(calls.at(-1)?.address).toBe('/api/admin/keys?limit=50&userId=7'));
  await user.click(screen.getByRole('button', { name: 'Show all keys' }));
  await user.type(screen.getByRole('searchbox'), 'night');
  await waitFor(() => expect(calls.at(-1)?.address).toBe('/api/admin/keys?limit=50&query=night'));
  expect(screen.getByRole('link', { name: 'CSV file' }).getAttribute('href')).toBe('/api/admin/keys.csv?query=night');
});

it('sends only the limits that were changed', async () => {
  const calls = show([nightly]);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Limit Nightly report of robot' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Limits of an API key' }));
  const rate = dialog.getByLabelText('Calls a minute');
  await user.clear(rate);
  await user.type(rate, '-5');
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  expect(await dialog.findByText('A whole number from -1 to 1,000,000,000')).toBeDefined();
  await user.clear(rate);
  await user.type(rate, '60');
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PATCH')).toEqual({
      method: 'PATCH',
      address: '/api/admin/keys/3',
      body: { requestsPerMinute: 60 },
    }),
  );
});

it('deletes a key after a confirmation', async () => {
  const calls = show([nightly]);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Delete Nightly report of robot' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(calls.find(({ method }) => method === 'DELETE')?.address).toBe('/api/admin/keys/3'));
});

it('makes a key of the service account of the address and shows it once', async () => {
  const services = [5, 7].map((id) => ({ id, username: `robot ${id}`, fullName: null }));
  const calls = show([], services, '/?userId=7');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New key of a service' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New key of a service' }));
  await user.type(await dialog.findByLabelText('Name'), 'Nightly report');
  await user.type(dialog.getByLabelText('Tokens a minute'), '1000');
  await user.click(dialog.getByRole('button', { name: 'Create key' }));
  expect(await screen.findByText('tk_the-whole-key')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')).toMatchObject({
    address: '/api/admin/users/7/keys',
    body: { name: 'Nightly report', tokensPerMinute: 1000, requestsPerMinute: null },
  });
});

it('says where a service account is added when there is none', async () => {
  show([]);
  await userEvent.setup().click(await screen.findByRole('button', { name: 'New key of a service' }));
  expect(await screen.findByText(/There is no service account yet/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Manage Users' }).getAttribute('href')).toBe('/admin/users');
});
