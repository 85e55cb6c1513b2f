import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ProviderConnection } from '@tanya/contract';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { FakePage } from '../../components/layout/fake-page';
import ModelsPage from './models-page';

const openrouter = {
  id: 1,
  name: 'OpenRouter',
  kind: 'openrouter',
  isBuiltIn: true,
  enabled: true,
  isConfigured: true,
};
const basement = { id: 7, name: 'Basement', kind: 'compatible', isBuiltIn: false, enabled: true, isConfigured: true };

function show(answers: Record<string, unknown> = {}) {
  queryClient.clear();
  const served: Record<string, unknown> = {
    '/api/admin/models': [],
    '/api/admin/models/problems': [],
    '/api/admin/connections': [openrouter, basement] as ProviderConnection[],
    '/api/admin/openrouter/models': { data: [] },
    ...answers,
  };
  serve(served);
  render(
    <FakePage>
      <ModelsPage />
    </FakePage>,
  );
  return { served, user: userEvent.setup({ delay: null }) };
}

test('reports what a new model lacks at its fields', async () => {
  const { user } = show();
  await user.click(screen.getByRole('button', { name: 'Add New Model' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add New Model' }));
  await user.type(dialog.getByLabelText('Model ID'), 'maker/large');
  await user.click(dialog.getByRole('button', { name: 'Add Model' }));
  expect(await dialog.findAllByText('Please fill in this field.')).toHaveLength(2);
  expect(dialog.getByLabelText('Display Name').getAttribute('aria-invalid')).toBe('true');
});

test('imports a model of a chosen connection', async () => {
  const data = ['one', 'two', 'three'].map((id) => ({ id, name: id, context_length: id === 'one' ? null : 8192 }));
  const { user } = show({
    '/api/admin/connections/7/models': { data },
    '/api/admin/models/import': { imported: 1, skipped: 0, reasons: [] },
  });
  await user.click(screen.getByRole('tab', { name: 'Import Models' }));
  await user.selectOptions(await screen.findByLabelText('Connection'), '7');
  expect(await screen.findByText('Import from Basement')).toBeDefined();
  expect(await screen.findByText('Choose all 3')).toBeDefined();
  expect(screen.getAllByText('8,192')).toHaveLength(2);
  expect(screen.getByText('Unknown')).toBeDefined();
  const sent: unknown[] = [];
  const server = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    if (init?.method === 'POST') sent.push(JSON.parse(init.body as string));
    return server(address, init);
  };
  for (const name of ['two', 'three']) await user.click(screen.getByRole('checkbox', { name: `Choose ${name}` }));
  await user.click(screen.getAllByRole('button', { name: 'Import' })[1]!);
  await waitFor(() => expect(sent).toEqual([{ connectionId: 7, modelIds: ['two'], isEnabled: true }]));
  // The other one stays ticked.
  expect(await screen.findByRole('button', { name: 'Import 1 model' })).toBeDefined();
});

test('reads an empty list again, and a list whose connection may have changed', async () => {
  const { served, user } = show();
  await user.click(screen.getByRole('tab', { name: 'Import Models' }));
  await screen.findByText(/^No OpenRouter models found/);
  served['/api/admin/openrouter/models'] = { data: [{ id: 'maker/one', name: 'One', context_length: 8192 }] };
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await screen.findByText('maker/one');
  await user.click(screen.getByRole('tab', { name: 'Models' }));
  await waitFor(() => expect(screen.queryByText('maker/one')).toBeNull());
  served['/api/admin/openrouter/models'] = { data: [{ id: 'maker/two', name: 'Two', context_length: 8192 }] };
  await user.click(screen.getByRole('tab', { name: 'Import Models' }));
  await screen.findByText('maker/two');
});

test('begins with the connection that is set up', async () => {
  const data = [{ id: 'house/one', name: 'one', context_length: 8192 }];
  const { user } = show({
    '/api/admin/connections': [
      { ...openrouter, isConfigured: false },
      { ...basement, enabled: false },
      { ...basement, id: 8 },
    ],
    '/api/admin/connections/8/models': { data },
  });
  await user.click(screen.getByRole('tab', { name: 'Import Models' }));
  expect(await screen.findByText('Import from Basement')).toBeDefined();
  expect(await screen.findByText('house/one')).toBeDefined();
  await user.selectOptions(screen.getByLabelText('Connection'), 'OpenRouter');
  expect(await screen.findByText('Import from OpenRouter')).toBeDefined();
});
