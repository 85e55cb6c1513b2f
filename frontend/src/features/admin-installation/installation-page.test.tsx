import { render, screen, within } from '@testing-library/react';
import type { InstallationStatus } from '@tanya/contract';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { FakePage } from '../../components/layout/fake-page';
import InstallationPage from './installation-page';

const NOW = new Date().toISOString();
const status: InstallationStatus = {
  version: '3f2a9c1b',
  nodes: [{ hostname: 'node-a', startedAt: NOW, isSameVersion: true }],
  usesRedis: false,
};
const connection = { name: 'OpenAI', enabled: true, isConfigured: true, lastError: null, lastSuccess: NOW };

async function show(answers: Record<string, unknown>) {
  queryClient.clear();
  serve({
    '/api/admin/installation': status,
    '/api/admin/connections': [connection],
    '/api/admin/failures': [],
    '/api/admin/audit?changes=true&limit=1': [{ createdAt: NOW, actor: { username: 'sari' } }],
    '/api/admin/audit?action=backup.create&limit=1': [{ createdAt: NOW, after: { rows: 1_234, files: 5 } }],
    ...answers,
  });
  render(
    <FakePage>
      <InstallationPage />
    </FakePage>,
  );
  return within(await screen.findByRole('region', { name: 'State' }));
}

it('says that all is well, and what was saved and changed last', async () => {
  const state = await show({});
  expect(state.getByText('3f2a9c1b')).toBeDefined();
  expect(state.getByText(/^node-a, since /)).toBeDefined();
  expect(await state.findByText('1 connection, none failing.')).toBeDefined();
  expect(await state.findByText('None in the last 24 hours.')).toBeDefined();
  expect(await state.findByText(/: 1,234 rows and 5 files\.$/)).toBeDefined();
  expect(await state.findByText(/^sari, /)).toBeDefined();
  expect(state.getByRole('link', { name: 'Details: Failures' }).getAttribute('href')).toBe('/admin/failures');
});

it('names what fails and what is missing', async () => {
  const failed = { at: NOW, code: 'provider_auth', message: 'Refused' };
  const state = await show({
    '/api/admin/installation': {
      ...status,
      nodes: [...status.nodes, { hostname: 'node-b', startedAt: NOW, isSameVersion: false }],
    },
    '/api/admin/audit?action=backup.create&limit=1': [],
    '/api/admin/connections': [connection, { ...connection, name: 'Ollama', lastError: failed, lastSuccess: null }],
    '/api/admin/failures': [{ createdAt: NOW }, { createdAt: NOW }, { createdAt: '2026-01-01T00:00:00.000Z' }],
  });
  expect(state.getByText('A node of another version runs, as during an upgrade.')).toBeDefined();
  expect(await state.findByText('Failing: Ollama')).toBeDefined();
  expect(await state.findByText('2 failures in the last 24 hours.')).toBeDefined();
  expect(await state.findByText('None is known. Make one with npm run backup.')).toBeDefined();
});
