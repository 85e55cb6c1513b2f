import type { UnlistedModel } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { api } from '../../app/api/api-client';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { FakePage } from '../../components/layout/fake-page';
import { UnlistedModels } from './unlisted-models';

const UNLISTED: UnlistedModel[] = [
  { modelId: 'own/embedder', kind: 'embedding', messages: 1200, lastUsedOn: '2026-11-20' },
  { modelId: 'acme/premium:nitro', kind: 'chat', messages: 1, lastUsedOn: '2026-10-01' },
];

const ADDED = {
  id: 7,
  modelId: 'own/embedder',
  name: 'embedder',
  provider: 'own',
  kind: 'embedding',
  connectionId: null,
  fallbacks: [],
};

const show = () =>
  render(
    <FakePage>
      <UnlistedModels />
    </FakePage>,
  );

afterEach(() => queryClient.clear());

test('is absent without such models', async () => {
  serve({ '/api/admin/models/unlisted': [] });
  const { container } = show();
  await api.get('/api/admin/models/unlisted');
  expect(container.textContent).toBe('');
});

test('adds a model for premium users, outside of the picker, and opens its dialog', async () => {
  serve({
    '/api/admin/models/unlisted': UNLISTED,
    '/api/admin/models': { ...ADDED, isKindGuessed: true, isPremium: true, isInPicker: false },
    '/api/admin/models/7/prices': [],
    '/api/admin/connections': [],
  });
  const served = globalThis.fetch;
  const created: unknown[] = [];
  globalThis.fetch = (address, init) => {
    if (init?.method === 'POST') created.push(JSON.parse(init.body as string));
    return served(address, init);
  };
  show();
  expect(await screen.findByText(/^Embeddings · 1,200 messages · last called on .*2026/)).toBeDefined();
  expect(screen.getByText(/^Chat · 1 message · /)).toBeDefined();
  await userEvent.setup({ delay: null }).click(screen.getByRole('button', { name: 'Add own/embedder' }));
  const kind = await screen.findByLabelText<HTMLSelectElement>('Kind');
  expect(kind.selectedOptions[0]?.textContent).toBe('Embeddings (guessed)');
  expect(created).toEqual([{ modelId: 'own/embedder', isEnabled: true, isPremium: true, isInPicker: false }]);
});
