import { readFileSync } from 'node:fs';
import { ENV_NAMES, readEnv } from './env.js';

const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
const named = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);

/** Read by docker-compose.yml and by the client of S3. */
const READ_ELSEWHERE = [
  'POSTGRES_PASSWORD',
  'REDIS_PASSWORD',
  'APP_MEMORY',
  'NETWORK_PREFIX',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
];

describe('.env.example', () => {
  it('lists every variable of the server once, and those of the deployment', () => {
    expect(named.toSorted()).toEqual([...ENV_NAMES, ...READ_ELSEWHERE].sort());
  });

  it('sets no variable', () => {
    expect(example).not.toMatch(/^[A-Z_]+=/m);
    expect(() => readEnv({})).not.toThrow();
  });
});
