import { CatalogueCache } from './catalogue-cache.js';
import type { Provider, ProviderModel } from './provider.js';

const MODEL = { id: 'maker/small', name: null, description: null, contextLength: null, capabilities: {} };

/** A provider whose list is sent, or fails, when the test says so. */
function slowProvider() {
  const calls: { send: () => void; fail: (error: Error) => void }[] = [];
  const listModels = () =>
    new Promise<ProviderModel[]>((resolve, reject) => {
      calls.push({ send: () => resolve([MODEL as unknown as ProviderModel]), fail: reject });
    });
  return { calls, provider: { listModels } as unknown as Provider };
}

it('reads a list once for all who ask for it at the same time, and keeps it', async () => {
  const cache = new CatalogueCache();
  const { provider, calls } = slowProvider();
  const asked = Array.from({ length: 100 }, () => cache.byId(provider));
  calls[0]!.send();
  for (const listed of await Promise.all(asked)) expect([...listed.keys()]).toEqual(['maker/small']);
  expect((await cache.read(provider)).data).toMatchObject([{ id: 'maker/small', name: 'small' }]);
  expect(cache.find(provider, 'maker/small')).toBeDefined();
  expect(calls).toHaveLength(1);
});

it('reads again after a failure', async () => {
  const cache = new CatalogueCache();
  const { provider, calls } = slowProvider();
  const failed = cache.read(provider);
  calls[0]!.fail(new Error('away'));
  await expect(failed).rejects.toThrow('away');
  const again = cache.read(provider);
  calls[1]!.send();
  expect((await again).data).toHaveLength(1);
});
