import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeUnused } from './memory-folder.mjs';

it('removes the folders of killed runs alone', () => {
  const memory = mkdtempSync(join(tmpdir(), 'tanya-memory-'));
  const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const name of ['tanya-old', 'tanya-new', 'other-old']) {
    mkdirSync(join(memory, name));
    writeFileSync(join(memory, name, 'file'), '');
  }
  for (const name of ['tanya-old', 'other-old']) utimesSync(join(memory, name), twoHoursAgo, twoHoursAgo);
  try {
    removeUnused(memory);
    expect(readdirSync(memory).sort()).toEqual(['other-old', 'tanya-new']);
  } finally {
    rmSync(memory, { recursive: true });
  }
});
