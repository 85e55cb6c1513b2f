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

/** Connects a login of the provider with an account. */
export const connect = (userId: number, sub: string): Promise<unknown> =>
  server.dataSource.query('insert into user_identity (user_id, issuer, subject) values ($1, $2, $3)', [
    userId,
    idp.issuer,
    sub,
  ]);
