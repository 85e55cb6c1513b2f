import { type Actors, type SecurityHarness, startSecurityHarness } from './routes-harness.js';

/** One server per test file that imports this module, started before the first test. */
export let harness: SecurityHarness;

/** One client per actor, shared by all tests of the file. */
export let actors: Actors;

beforeAll(async () => {
  harness = await startSecurityHarness();
  actors = await harness.createActors();
});

afterAll(() => harness.close());
