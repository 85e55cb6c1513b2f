import { jest } from '@jest/globals';
import type { AdminModel, ProviderConnection } from '@tanya/contract';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../app/api/fake-server';
import { connectionsQuery } from '../../app/queries/connections.query';
import { queryClient } from '../../app/queries/query-client';
import { FakePage } from '../../components/layout/fake-page';
import { adminModelsQuery } from './models.query';
import { ModelsTable } from './models-table';

const modelOf = (id: number, modelId: string, connectionId: number | null) =>
  ({ id, modelId, name: modelId, displayName: modelId, displayProvider: 'Any', connectionId }) as AdminModel;

const models = [
  modelOf(1, 'openai/gpt-4o', null),
  modelOf(2, 'llama', 9),
  modelOf(3, 'gpt-image-1', null),
  modelOf(4, 'mistral', 8),
];
const connections = [
  { id: 8, name: 'Zoo' },
  { id: 9, name: 'Own server' },
] as ProviderConnection[];

test('sorts by the API source that it shows', async () => {
  // jsdom has no layout: a wide element shows the table instead of cards.
  jest.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900);
  serve({});
  queryClient.setQueryData(adminModelsQuery.queryKey, models);
  queryClient.setQueryData(connectionsQuery.queryKey, connections);
  render(
    <FakePage>
      <ModelsTable />
    </FakePage>,
  );
  await userEvent.setup({ delay: null }).click(screen.getByRole('button', { name: 'API Source' }));
  const sources = screen.getAllByText(/^(OpenAI API|OpenRouter API|Own server|Zoo)$/);
  expect(sources.map(({ textContent }) => textContent)).toEqual(['OpenAI API', 'OpenRouter API', 'Own server', 'Zoo']);
});

test('chooses the models of all pages', async () => {
  const shown = [...models, ...Array.from({ length: 50 }, (_, index) => modelOf(100 + index, `many/${index}`, null))];
  serve({});
  queryClient.setQueryData(adminModelsQuery.queryKey, shown);
  render(
    <FakePage>
      <ModelsTable />
    </FakePage>,
  );
  const user = userEvent.setup({ delay: null });
  await user.click(screen.getByText('Choose all 54'));
  expect(screen.getByText('54 chosen')).toBeDefined();
  await user.click(screen.getByText('Choose none'));
  expect(screen.getByText('None chosen')).toBeDefined();
});

test('changes chosen models at once, with their prices', async () => {
  queryClient.clear();
  const bodies: unknown[] = [];
  serve({
    '/api/admin/models': models,
    '/api/admin/models/batch': { ids: [], skipped: [{ id: 1, code: 'conflict' }] },
  });
  const answer = globalThis.fetch;
  globalThis.fetch = (address, request) => {
    if (request?.method === 'POST') bodies.push(JSON.parse(request.body as string));
    return answer(address, request);
  };
  render(
    <FakePage>
      <ModelsTable />
    </FakePage>,
  );
  const user = userEvent.setup({ delay: null });
  await user.click(await screen.findByRole('checkbox', { name: 'Choose openai/gpt-4o' }));
  await user.click(screen.getByRole('checkbox', { name: 'Choose llama' }));
  await user.click(screen.getByRole('button', { name: 'Change the chosen' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change 2 models' }));
  await user.selectOptions(dialog.getByLabelText('Status'), 'Disabled');
  await user.selectOptions(dialog.getByLabelText('Kind'), 'Embeddings');
  await user.selectOptions(dialog.getByLabelText('Who may use it'), 'Premium members');
  await user.selectOptions(dialog.getByLabelText('Prices'), 'Set all prices');
  await user.type(dialog.getByLabelText('Input tokens'), 'cheap');
  await user.click(dialog.getByRole('button', { name: 'Change 2 models' }));
  expect(await dialog.findByText(/^A number of at least 0/)).toBeDefined();
  await user.clear(dialog.getByLabelText('Input tokens'));
  await user.type(dialog.getByLabelText('Input tokens'), '0.15');
  await user.click(dialog.getByRole('button', { name: 'Change 2 models' }));
  expect((await dialog.findByRole('alert')).textContent).toContain(
    'openai/gpt-4o: The default model stays enabled and in the picker.',
  );
  const changes = { isEnabled: false, kind: 'embedding', access: 'premium', pricing: { prompt: '0.00000015' } };
  expect(bodies).toEqual([{ ids: [1, 2], changes }]);
});

test('tells models of premium members from those of groups', () => {
  serve({});
  const rule = (id: number, access: AdminModel['access']) => ({
    ...modelOf(id, access, null),
    access,
    isPremium: access !== 'everyone',
  });
  queryClient.setQueryData(adminModelsQuery.queryKey, [rule(1, 'everyone'), rule(2, 'premium'), rule(3, 'groups')]);
  render(
    <FakePage>
      <ModelsTable />
    </FakePage>,
  );
  expect(screen.getAllByText('Premium')).toHaveLength(1);
  expect(screen.getAllByText('Groups')).toHaveLength(1);
});

test('keeps the models when a later read fails', async () => {
  serve({});
  queryClient.setQueryData(adminModelsQuery.queryKey, models);
  render(
    <FakePage>
      <ModelsTable />
    </FakePage>,
  );
  void queryClient.invalidateQueries({ queryKey: adminModelsQuery.queryKey });
  expect((await screen.findByRole('alert')).textContent).toContain('Error loading models');
  expect(screen.getAllByText('mistral').length).toBeGreaterThan(0);
});

test('shows the page sizes also when one page has all models', () => {
  serve({});
  const many = Array.from({ length: 26 }, (_, index) => modelOf(index, `maker/model-${index}`, null));
  queryClient.setQueryData(adminModelsQuery.queryKey, many);
  render(
    <FakePage>
      <ModelsTable />
    </FakePage>,
  );
  expect(screen.getByText('1–26 of 26')).toBeDefined();
});

test('has the actions on a card in a menu', async () => {
  // Elements have no width again.
  jest.restoreAllMocks();
  queryClient.clear();
  const requests = serve({
    '/api/admin/models': [
      { ...models[0], isEnabled: true, isInPicker: true, kind: 'chat' },
      { ...models[1], isDefault: true },
    ],
    '/api/admin/settings/default-model': {},
  });
  render(
    <FakePage>
      <ModelsTable />
    </FakePage>,
  );
  const user = userEvent.setup({ delay: null });
  const [card, second] = await screen.findAllByRole('listitem');
  expect(within(second!).getByText('Default')).toBeDefined();
  const { getByRole, findByRole } = within(card!);
  await user.click(getByRole('button', { name: 'Actions for openai/gpt-4o' }));
  await user.click(await findByRole('menuitem', { name: 'Set as Default' }));
  expect(requests).toContain('/api/admin/settings/default-model');
  await user.click(getByRole('button', { name: 'Actions for openai/gpt-4o' }));
  await user.click(await findByRole('menuitem', { name: 'Delete' }));
  expect((await screen.findByRole('alertdialog')).textContent).toContain('openai/gpt-4o');
});
