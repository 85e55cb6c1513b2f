import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SecretBox, storedSecret } from './secret-box.js';

const ONE = 'q8Zr1-vT5_kM3xW9-bN7cY2-eH4uJ6sDfLg';
const TWO = 'w7Hq2-xB6_nL4zV8-cM5aZ1-gJ3kS9pFdYt';
const CELL = { table: 'setting', column: 'openai_api_key_sealed', row: 1 };

describe('SecretBox', () => {
  it('opens a value in its cell only', () => {
    const box = new SecretBox(ONE);
    const sealed = box.seal('sk-text', CELL);
    expect(sealed).toMatch(/^v2\.[\w-]{8}\.[\w-]+$/);
    expect(box.open(sealed, { ...CELL, row: '1' })).toBe('sk-text');
    for (const other of [{ row: 2 }, { column: 'api_key_sealed' }, { table: 'user' }]) {
      expect(box.open(sealed, { ...CELL, ...other })).toBeNull();
    }
  });

  it('moves a value to another cell, with a secret that is listed later if none opens it', () => {
    const to = { table: 'provider_connection', column: 'api_key_sealed', row: 2 };
    const [earlier, other, both] = [new SecretBox(ONE), new SecretBox(TWO), new SecretBox(`${TWO},${ONE}`)];
    const sealed = earlier.seal('sk-text', CELL);
    expect(both.open(both.moved(sealed, CELL, to), to)).toBe('sk-text');
    const unopened = other.moved(sealed, CELL, to);
    expect(both.open(unopened, to)).toBeNull();
    expect(both.resealed(unopened, CELL)).toBe(unopened);
    expect(both.open(both.resealed(unopened, to), to)).toBe('sk-text');
    // Moved once more before its secret is listed.
    const next = { ...to, row: 3 };
    expect(both.open(both.resealed(other.moved(unopened, to, next), next), next)).toBe('sk-text');
    // From a cell that the value was not sealed for.
    expect(both.open(both.resealed(both.moved(sealed, next, to), to), to)).toBeNull();
  });

  it('opens no value that was changed, cut or relabelled', () => {
    const box = new SecretBox(ONE);
    const [version, id, body] = box.seal('sk-text', CELL).split('.') as [string, string, string];
    const changed = body.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    for (const sealed of [
      `v2w.${id}.${body}`,
      `${version}.${id}.${changed}`,
      `${version}.${id}`,
      body,
      '',
      '.',
      '..',
    ]) {
      expect(box.open(sealed, CELL)).toBeNull();
    }
  });

  it('opens and verifies what an earlier secret sealed and signed, and uses the first secret itself', () => {
    const [earlier, both, later] = [new SecretBox(ONE), new SecretBox(`${TWO},${ONE}`), new SecretBox(TWO)];
    expect(both.open(earlier.seal('text', CELL), CELL)).toBe('text');
    expect(later.open(both.seal('text', CELL), CELL)).toBe('text');
    expect(later.open(earlier.seal('text', CELL), CELL)).toBeNull();
    expect(both.verify('guest', earlier.sign('guest'))).toBe(true);
    expect(both.sign('guest')).toBe(later.sign('guest'));
    expect(later.verify('guest', earlier.sign('guest'))).toBe(false);
  });
});

describe('storedSecret', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tanya-secret-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('is created once, for this user alone', () => {
    const secret = storedSecret(folder);
    expect(secret).toHaveLength(64);
    expect(storedSecret(folder)).toBe(secret);
    expect(readdirSync(folder)).toEqual(['secret']);
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  });

  it.each(['', '\n', 'short'])('refuses a file with %j, under which nothing would be safe', (content) => {
    writeFileSync(join(folder, 'secret'), content);
    expect(() => storedSecret(folder)).toThrow('must have 32 characters or more');
  });
});
