import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docs/message-journey.md'), 'utf8');
const namesIn = (part: string) => new Set([...part.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name]) => name!));
const names = namesIn(text);
const [ofThePage = ''] = text.split('## The same for a program');

describe('the journey of a message', () => {
  it('names at most 30 files of a send from the page, which a reader can follow', () => {
    expect(names.size).toBeGreaterThan(10);
    expect([...namesIn(ofThePage)].slice(30)).toEqual([]);
  });

  it('names files that exist', () => {
    const folders = ['backend/src', 'frontend/src/features/chat', '.'];
    const exists = (name: string) => folders.some((folder) => existsSync(join(root, folder, name)));
    expect([...names].filter((name) => !exists(name))).toEqual([]);
  });
});
