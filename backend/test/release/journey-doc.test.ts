import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docs/message-journey.md'), 'utf8');
const names = new Set([...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name]) => name!));

describe('the journey of a message', () => {
  it('names at most 25 files, which a reader can follow', () => {
    expect(names.size).toBeGreaterThan(10);
    expect([...names].slice(25)).toEqual([]);
  });

  it('names files that exist', () => {
    const folders = ['backend/src', 'frontend/src/features/chat'];
    const exists = (name: string) => folders.some((folder) => existsSync(join(root, folder, name)));
    expect([...names].filter((name) => !exists(name))).toEqual([]);
  });
});
