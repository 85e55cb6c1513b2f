import { createRequire } from 'node:module';
import { jest } from '@jest/globals';
import type * as Argon2 from '@node-rs/argon2';
import type { TestApp } from '../harness/test-app.js';

const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as typeof Argon2;
const verify = jest.fn(argon2.verify);

jest.unstable_mockModule('@node-rs/argon2', () => ({ ...argon2, verify }));

const { startTestApp } = await import('../harness/test-app.js');

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp({ cachesHashes: false });
});

afterAll(() => server.close());

/** Algorithm and parameters of each hash that a login verifies. */
async function hashesOf(username: string): Promise<string[]> {
  verify.mockClear();
  const answer = await server.client().post('/api/login', { username, password: 'not this one' });
  expect(answer.status).toBe(401);
  return verify.mock.calls.map(([hash]) => String(hash).split('$').slice(1, 4).join('$'));
}

it('a login hashes once with the same parameters for an unknown name and a wrong password (AU-4)', async () => {
  const { username } = await server.member();
  expect(await hashesOf(username)).toEqual(['argon2id$v=19$m=19456,t=2,p=1']);
  expect(await hashesOf('unknown name')).toEqual(['argon2id$v=19$m=19456,t=2,p=1']);
});
