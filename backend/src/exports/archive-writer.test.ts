import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openPromise } from 'yauzl';
import { ArchiveWriter } from './archive-writer.js';

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'archive-'))));
afterEach(() => rmSync(folder, { recursive: true }));

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** Bytes that the process holds after a full collection. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it('writes entries with their sizes and hashes', async () => {
  const path = join(folder, 'a.zip');
  const written: number[] = [];
  const archive = new ArchiveWriter(path, new AbortController().signal, () => written.push(archive.bytes));
  const texts = ['', 'Hello', 'é'.repeat(200_000)];
  for (const [at, text] of texts.entries()) await archive.add(`${at}.txt`, once(text), at !== 1);
  const before = written.at(-1)!;
  await archive.close();
  expect([before, archive.bytes]).toEqual([expect.any(Number), written.at(-1)]);
  expect(before).toBeLessThan(archive.bytes);
  const zip = await openPromise(path, { autoClose: false });
  const found: Buffer[] = [];
  for await (const entry of zip.eachEntry()) found.push(await buffer(await zip.openReadStreamPromise(entry)));
  zip.close();
  expect(found.map(String)).toEqual(texts);
  expect(archive.entries).toEqual(
    found.map((bytes, at) => ({
      path: `${at}.txt`,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
  );
});

it('holds nothing of an entry that is written', async () => {
  const archive = new ArchiveWriter(join(folder, 'a.zip'), new AbortController().signal);
  const addMany = async (count: number) => {
    for (let at = 0; at < count; at += 1) await archive.add(`${at}.txt`, once('Hello'));
  };
  await addMany(200);
  const before = heldBytes();
  await addMany(1_000);
  // The directory at the end of the archive needs the name, the size and the hash of each.
  const isSmall = () => (heldBytes() - before) / 1_000 < 4_000;
  // Compressors of the last entries end in later turns of the event loop.
  for (let tries = 0; tries < 300 && !isSmall(); tries += 1) await sleep(100);
  expect(isSmall()).toBe(true);
  await archive.close();
});

it('ends with the failure of the disk', async () => {
  const archive = new ArchiveWriter(join(folder, 'missing', 'a.zip'), new AbortController().signal);
  await expect(
    (async () => {
      for (let at = 0; at < 1_000; at += 1) await archive.add(`${at}.txt`, once('Hello'));
      await archive.close();
    })(),
  ).rejects.toMatchObject({ code: 'ENOENT' });
});

it('ends when it is aborted', async () => {
  const end = new AbortController();
  const archive = new ArchiveWriter(join(folder, 'a.zip'), end.signal);
  async function* endless(): AsyncGenerator<string> {
    for (let count = 0; ; count += 1) {
      if (count === 100) end.abort(new Error('enough'));
      yield 'x'.repeat(1_000);
    }
  }
  await expect(archive.add('a.txt', endless())).rejects.toThrow('enough');
  await expect(archive.add('b.txt', once('Hello'))).rejects.toThrow('enough');
});
