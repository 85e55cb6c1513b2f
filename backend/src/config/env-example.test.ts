import { readFileSync } from 'node:fs';
import { ENV_NAMES, readEnv } from './env.js';

const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
const named = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);

describe('.env.example', () => {
  it('lists every variable once, and no other', () => {
    expect(named.toSorted()).toEqual([...ENV_NAMES].sort());
  });

  it('sets no variable', () => {
    expect(example).not.toMatch(/^[A-Z_]+=/m);
    expect(() => readEnv({})).not.toThrow();
  });
});
