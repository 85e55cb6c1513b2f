import { SecretBox } from './secret-box.js';

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
