import type { HttpClient } from '../harness/http-client.js';
import { startUpstream, type ScriptedUpstream } from '../harness/scripted-upstream.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';

/** One server per test file that imports this module, and its provider, started before the first test. */
export let server: TestApp;
export let upstream: ScriptedUpstream;

beforeAll(async () => {
  upstream = await startUpstream({ words: 2 });
  server = await startTestApp({ env: { openai: { apiKey: 'sk-scripted', baseUrl: upstream.url } } });
});

afterAll(async () => {
  await server.close();
  await upstream.close();
});

export const member = async (): Promise<HttpClient> => (await server.member()).client;
