import { type Cast, startWorld, type World } from './routes-harness.js';

/** The whole server with everybody in it, for whichever file of tests imports this: there before its first test. */
export let world: World;

/** One of each, the same for all tests of the file. */
export let cast: Cast;

beforeAll(async () => {
  world = await startWorld();
  cast = await world.cast();
});

afterAll(() => world.close());
