import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ProviderConnection } from '@tanya/contract';
import { holdRequests, serve } from '../../../app/api/fake-server';
import { connectionsQuery } from '../../../app/queries/connections.query';
import { queryClient } from '../../../app/queries/query-client';
import ConnectionsPage from './connections-page';
import { FakePage } from '../../../components/layout/fake-page';

const PATH = '/api/admin/connections';

const openrouter: ProviderConnection = {
  id: 1,
  kind: 'openrouter',
  name: 'OpenRouter',
  baseUrl: '',
  apiKey: '••••••••abcd',
  hasApiKey: true,
  isKeyUnreadable: false,
  keySource: 'settings',
  address: 'https://openrouter.ai/api/v1',
  baseUrlSource: 'default',
  enabled: true,
  isBuiltIn: true,
  isConfigured: true,
  position: 1,
  lastError: { code: 'provider_auth', message: 'The provider refused the API key.', at: '2026-01-02T00:00:00.000Z' },
  lastSuccess: '2026-01-01T00:00:00.000Z',
  adaptations: [],
  modelCount: 0,
  answersUnbound: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};

const ollama: ProviderConnection = {
  ...openrouter,
  id: 3,
  kind: 'compatible',
  name: 'Ollama',
  baseUrl: 'http://localhost:11434/v1',
  apiKey: '',
  hasApiKey: false,
  keySource: 'none',
  address: 'http://localhost:11434/v1',
  baseUrlSource: 'settings',
  isBuiltIn: false,
  answersUnbound: false,
  position: 2,
  lastError: null,
};

interface Call {
  method: string;
  address: string;
  body: unknown;
}

async function show(answers: Record<string, unknown> = {}) {
  queryClient.clear();
  serve({ [PATH]: [openrouter, ollama], ...answers });
  const server = globalThis.fetch;
  const calls: Call[] = [];
  globalThis.fetch = async (address, init) => {
    const { method = 'GET', body } = init ?? {};
    if (method !== 'GET') calls.push({ method, address: address as string, body: body && JSON.parse(body as string) });
    return server(address, init);
  };
  render(
    <FakePage>
      <ConnectionsPage />
    </FakePage>,
  );
  await screen.findByText('Ollama');
  return { user: userEvent.setup({ delay: null }), calls };
}

const names = () =>
  within(screen.getByRole('list', { name: 'Connections' }))
    .getAllByRole('listitem')
    .map((row) => (row.textContent.startsWith('Ollama') ? 'Ollama' : 'OpenRouter'));

it('shows the last failure with its cause, and no key in clear text', async () => {
  await show();
  expect(screen.getByText('The provider refused the API key.')).toBeDefined();
  expect(screen.getByText('https://openrouter.ai/api/v1')).toBeDefined();
  expect(screen.getByText(/No key/)).toBeDefined();
});

it('says which models a connection answers', async () => {
  await show();
  expect(screen.getByText(/answers all models without a connection of their own/)).toBeDefined();
  expect(screen.getAllByText(/no model has chosen it/)).toHaveLength(1);
});

it('shows the result of a test in words', async () => {
  const message = 'Connected. The provider lists 3 models.';
  const { user, calls } = await show({ [`${PATH}/test`]: { ok: true, message, models: 3, ms: 420 } });
  await user.click(screen.getByRole('button', { name: 'Test Ollama' }));
  expect(await screen.findByText(`${message} It answered in 0.4 s.`)).toBeDefined();
  expect(calls).toEqual([{ method: 'POST', address: `${PATH}/test`, body: { id: 3 } }]);
});

it('shows how requests are changed for a server, and lets it be forgotten', async () => {
  const changes = ['stream_options', 'system', 'signatures', 'of_the_future'];
  const adapted = { ...ollama, adaptations: [{ model: 'gemma', changes, since: ollama.createdAt }] };
  const { user, calls } = await show({ [PATH]: [openrouter, adapted], [`${PATH}/3/adaptations`]: ollama });
  const marked = 'calls marked as those of another model';
  const text = `gemma: without stream_options, system prompt in the first message, ${marked}, without of_the_future`;
  expect(screen.getByText(text)).toBeDefined();
  serve({ [PATH]: [openrouter, ollama], [`${PATH}/3/adaptations`]: ollama });
  await user.click(screen.getByRole('button', { name: 'Forget the changes for Ollama' }));
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  expect(calls).toEqual([]);
});

it('drops the result of a test when the connection is changed', async () => {
  const result = { ok: false, fault: 'refused', message: 'The host refused the connection.', ms: 3 };
  const { user } = await show({ [`${PATH}/test`]: result });
  await user.click(screen.getByRole('button', { name: 'Test Ollama' }));
  await screen.findByText(result.message);
  // The test reads the connections again.
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  act(() => void queryClient.setQueryData(connectionsQuery.queryKey, [openrouter, { ...ollama, name: 'Renamed' }]));
  await screen.findByText('Renamed');
  expect(screen.getByText(result.message)).toBeDefined();
  const moved = { ...ollama, baseUrl: 'http://other/v1' };
  act(() => void queryClient.setQueryData(connectionsQuery.queryKey, [openrouter, moved]));
  await waitFor(() => expect(screen.queryByText(result.message)).toBeNull());
});

it('switches a connection at once and back when the server refuses', async () => {
  const refusal = { statusCode: 500, code: 'internal', message: 'Failed.' };
  const { user } = await show({ [`${PATH}/3`]: refusal });
  const change = holdRequests();
  const toggle = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Enable Ollama' });
  await user.click(toggle);
  await waitFor(() => expect(toggle.labels?.[0]?.dataset.state).toBe('unchecked'));
  change.release();
  await waitFor(() => expect(toggle.checked).toBe(true));
});

it('moves a connection to the place of its neighbour', async () => {
  const { user, calls } = await show({ [`${PATH}/3`]: { ...ollama, position: 1 } });
  const change = holdRequests();
  await user.click(screen.getByRole('button', { name: 'Move Ollama up' }));
  await waitFor(() => expect(names()).toEqual(['Ollama', 'OpenRouter']));
  change.release();
  await waitFor(() => expect(calls).toEqual([{ method: 'PATCH', address: `${PATH}/3`, body: { position: 1 } }]));
});

it('offers no deletion of a built-in connection', async () => {
  const { user, calls } = await show({ [`${PATH}/3`]: null });
  expect(screen.queryByRole('button', { name: 'Delete OpenRouter' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Delete Ollama' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(calls.map(({ method }) => method)).toEqual(['DELETE']));
});

it('says why a connection in use cannot be deleted', async () => {
  const { user } = await show({ [PATH]: [openrouter, { ...ollama, modelCount: 2 }] });
  await user.click(screen.getByRole('button', { name: 'Delete Ollama' }));
  expect(screen.getByRole('dialog', { name: 'Ollama is in use' })).toBeDefined();
});

it('tests a new connection before it adds it', async () => {
  const result = { ok: false, fault: 'refused', message: 'The host refused the connection.', ms: 3 };
  const { user, calls } = await show({ [`${PATH}/test`]: result });
  await user.click(screen.getByRole('button', { name: 'Add connection' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Add connection' }));
  await user.click(dialog.getByRole('button', { name: 'Test' }));
  expect(await dialog.findByText('Please enter the base URL.')).toBeDefined();
  await user.type(dialog.getByLabelText('Name'), 'Own server');
  await user.type(dialog.getByLabelText('Base URL'), 'http://host/v1');
  await user.click(dialog.getByRole('button', { name: 'Test' }));
  expect(await dialog.findByText(result.message)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Add connection' }));
  const body = { kind: 'compatible', baseUrl: 'http://host/v1', apiKey: '' };
  await waitFor(() =>
    expect(calls).toEqual([
      { method: 'POST', address: `${PATH}/test`, body },
      { method: 'POST', address: PATH, body: { ...body, name: 'Own server' } },
    ]),
  );
});

it('drops the result of a test when a tested field is edited, during the test too', async () => {
  const result = { ok: true, message: 'Connected.', models: 3, ms: 420 };
  const { user, calls } = await show({ [`${PATH}/test`]: result });
  await user.click(screen.getByRole('button', { name: 'Edit Ollama' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Edit connection' }));
  const test = dialog.getByRole('button', { name: 'Test' });
  await user.click(test);
  await dialog.findByText(/^Connected/);
  await user.type(dialog.getByLabelText('Name'), ' 2');
  expect(dialog.getByText(/^Connected/)).toBeDefined();
  await user.type(dialog.getByLabelText('Base URL'), '/x');
  expect(dialog.queryByText(/^Connected/)).toBeNull();
  const running = holdRequests();
  await user.click(test);
  await user.type(dialog.getByLabelText(/^API key/), 'k');
  running.release();
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  // The page is notified in a later task.
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(calls).toHaveLength(2);
  expect(dialog.queryByText(/^Connected/)).toBeNull();
});

it('shows the address that is in use, and that it comes from the environment', async () => {
  const gateway = { ...openrouter, address: 'https://gateway.example/v1', baseUrlSource: 'environment' };
  await show({ [PATH]: [gateway, ollama] });
  expect(screen.getByText('https://gateway.example/v1 (from the environment)')).toBeDefined();
  expect(screen.getByText('http://localhost:11434/v1')).toBeDefined();
});
