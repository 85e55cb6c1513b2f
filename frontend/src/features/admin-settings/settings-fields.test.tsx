import { screen, waitFor } from '@testing-library/react';
import { serve } from '../../app/api/fake-server';
import { showFields } from './fake-settings-form';
import { IdeaFields } from './ideas/idea-fields';
import { ProviderFields } from './provider-fields';
import { toRequest } from './setting-values';
import { SearchFields } from './tools/search-fields';

test('moves the focus to an added idea', async () => {
  const user = showFields(<IdeaFields />);
  const hasFocus = (label: string) =>
    waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(label));
  await user.click(screen.getByRole('button', { name: 'Start with an empty list' }));
  await hasFocus('Idea 1');
  await user.keyboard('One{Enter}');
  await hasFocus('Idea 2');
  await user.keyboard('Two');
  await user.click(screen.getByRole('button', { name: 'Add idea' }));
  await hasFocus('Idea 3');
  await user.paste('Three\nFour');
  await hasFocus('Idea 5');
});

test.each(['Remove idea 1', 'Reset to default'])('keeps the focus in the list of ideas after %s', async (name) => {
  const user = showFields(<IdeaFields />);
  await user.click(screen.getByRole('button', { name: 'Start with an empty list' }));
  await user.type(screen.getByLabelText('Idea 1'), 'Only');
  await user.click(screen.getByRole('button', { name }));
  const first = await screen.findByRole('button', { name: 'Edit the built-in ideas' });
  await waitFor(() => expect(document.activeElement).toBe(first));
});

test('moves an idea up', async () => {
  let saved: unknown;
  const user = showFields(<IdeaFields />, (values) => (saved = toRequest(values, ['starters'])));
  await user.click(screen.getByRole('button', { name: 'Start with an empty list' }));
  await user.click(screen.getByLabelText('Idea 1'));
  // Lines follow the row that they are pasted into.
  await user.paste('First\nSecond');
  await user.click(screen.getByRole('button', { name: 'Move idea 3 up' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved).toEqual({ starters: ['Second', 'First'] }));
});

test('refuses an idea that is listed twice', async () => {
  let isSaved = false;
  const user = showFields(<IdeaFields />, () => (isSaved = true));
  await user.click(screen.getByRole('button', { name: 'Start with an empty list' }));
  await user.click(screen.getByLabelText('Idea 1'));
  await user.paste('Same\n Same \nOther');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('This idea is listed twice: Same')).toBeDefined();
  expect(isSaved).toBe(false);
});

test('tests a key before it is saved', async () => {
  const tested: unknown[] = [];
  serve({
    '/api/admin/connections': [{ id: 2, kind: 'openai', isBuiltIn: true }],
    '/api/admin/connections/test': { ok: false, fault: 'unauthorized', message: 'The key was refused.', ms: 90 },
  });
  const server = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    if (init?.method === 'POST') tested.push(JSON.parse(init.body as string));
    return server(address, init);
  };
  const user = showFields(<ProviderFields />);
  await user.type(screen.getByLabelText(/^OpenAI API Key/), 'sk-new');
  await user.click(screen.getAllByRole('button', { name: 'Test connection' })[1]!);
  expect(await screen.findByText('The key was refused.')).toBeDefined();
  expect(tested).toEqual([{ id: 2, apiKey: 'sk-new' }]);
});

test('drops the result of a search test when the service is changed', async () => {
  serve({
    '/api/admin/search/test': { ok: true, results: 3, message: 'Connected. The search returned results.', ms: 90 },
  });
  const user = showFields(<SearchFields />);
  await user.click(screen.getByRole('button', { name: 'Test search' }));
  expect(await screen.findByText(/^Connected\. The search returned results\./)).toBeDefined();
  await user.type(screen.getByLabelText('SearXNG address'), 'https://other.example');
  expect(screen.queryByText(/^Connected\./)).toBeNull();
});
