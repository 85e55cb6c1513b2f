import { jest } from '@jest/globals';
import type { AdminModel, ProviderConnection } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
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
