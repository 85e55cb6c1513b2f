import type { HttpClient } from '../../harness/http-client.js';
import { startTestApp, type TestApp } from '../../harness/test-app.js';
import { ScriptedProvider } from './scripted-provider.js';

/**
 * One server per test file that imports this module, and the provider where people sign in, started before the first test.
 * What a test spoils of the provider is well again for the next one.
 */
export let server: TestApp;
export let idp: ScriptedProvider;

beforeAll(async () => {
  [server, idp] = await Promise.all([startTestApp(), ScriptedProvider.start()]);
});

beforeEach(() => {
  idp.document = {};
  idp.token = null;
  idp.isDown = false;
});

afterAll(async () => {
  await server.close();
  await idp.close();
});

export const isSignedIn = async (client: HttpClient): Promise<boolean> =>
  (await client.get('/api/user')).status === 200;
