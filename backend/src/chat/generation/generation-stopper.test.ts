import { GenerationStopper } from './generation-stopper.js';

const unused = {} as never;

it('stops the answers of a deleted account only when sends that have read the account are through', async () => {
  const steps: string[] = [];
  const openGenerations = async () => {
    steps.push('read');
    return [];
  };
  const store = { openGenerations } as never;
  const quotas = {
    lockAccounts: async (_: unknown, owners: string[]) => void steps.push(`wait for ${owners.join()}`),
  } as never;
  const dataSource = { transaction: (work: (manager: object) => unknown) => work({}) } as never;
  const stopper = new GenerationStopper(unused, store, unused, unused, unused, unused, dataSource, quotas, unused);
  await stopper.stopAllOfSuspended('user:1');
  expect(steps).toEqual(['wait for user:1', 'read']);
});
