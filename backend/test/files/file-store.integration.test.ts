import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { FileStore } from '../../src/files/store/file-store.js';
import { openFileStore } from '../../src/files/store/open-file-store.js';
import { S3FileStore } from '../../src/files/store/s3-file-store.js';
import { type S3Server, startS3 } from '../harness/servers/s3-server.js';
import { waitUntil } from '../harness/wait-until.js';

let s3: S3Server;
let folder: string;

beforeAll(async () => {
  s3 = await startS3();
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tanya-store-'));
  s3.objects.clear();
});

afterEach(() => rm(folder, { recursive: true }));

afterAll(() => s3.close());

const open: Record<string, () => Promise<FileStore>> = {
  disk: () => openFileStore({ dataDir: join(folder, 'data'), filesUrl: null }),
  's3-compatible storage': () =>
    openFileStore({ dataDir: folder, filesUrl: `s3://bucket/some/prefix?region=eu-west-1&endpoint=${s3.url}` }),
};

describe.each(Object.keys(open))('the file store on %s', (name) => {
  let store: FileStore;

  beforeEach(async () => {
    store = await open[name]!();
  });

  async function put(content: Buffer | string): Promise<string> {
    const id = randomUUID();
    const path = join(folder, 'incoming');
    await writeFile(path, content);
    await store.put(id, path);
    return id;
  }

  async function ids(): Promise<string[]> {
    const found: string[] = [];
    for await (const { id, modifiedAt } of store.list()) {
      expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
      found.push(id);
    }
    return found.sort();
  }

  it('returns the stored bytes', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
    const id = await put(content);
    expect((await buffer(await store.read(id))).equals(content)).toBe(true);
  });

  it('returns a byte range', async () => {
    const id = await put('0123456789');
    const part = async (start: number, end: number) => String(await buffer(await store.read(id, { start, end })));
    expect([await part(0, 0), await part(3, 5), await part(9, 9)]).toEqual(['0', '345', '9']);
  });

  it('lists files until they are deleted, and deletes idempotently', async () => {
    expect(await ids()).toEqual([]);
    const all = [await put('a'), await put('b'), await put('c'), await put('')].sort();
    expect(await ids()).toEqual(all);
    await store.delete(all[0]!);
    await store.delete(all[0]!);
    expect(await ids()).toEqual(all.slice(1));
  });

  it('throws not_found for a missing file', async () => {
    await expect(store.read(randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['../secret', '/etc/passwd', '', 'a/b', `${randomUUID()}/..`])('rejects the id %j (UP-7)', async (id) => {
    await expect(store.read(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.delete(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.put(id, join(folder, 'incoming'))).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('writes only to its folder on disk, and only under its prefix on s3', async () => {
  const path = join(folder, 'incoming');
  for (const name of Object.keys(open)) {
    await writeFile(path, name);
    await (await open[name]!()).put(randomUUID(), path);
    await rm(path, { force: true });
  }
  expect(await readdir(folder)).toEqual(['data']);
  expect([...s3.objects.keys()]).toEqual([expect.stringMatching(/^bucket\/some\/prefix\/[0-9a-f-]{36}$/)]);
});

describe('S3-compatible storage that fails', () => {
  const url = () => `s3://bucket?endpoint=${s3.url}`;

  afterEach(() => {
    s3.isAway = false;
    s3.isSilent = false;
  });

  it('does not keep the file of an upload open', async () => {
    s3.isAway = true;
    const path = join(folder, 'incoming');
    await writeFile(path, Buffer.alloc(1_000_000));
    await expect(S3FileStore.open(url()).put(randomUUID(), path)).rejects.toThrow();
    await waitUntil('the file is closed', async () => {
      const open = await readdir('/proc/self/fd');
      const targets = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
      return !targets.includes(path);
    });
  });

  it('does not keep a request waiting', async () => {
    s3.isSilent = true;
    await expect(S3FileStore.open(url(), 100).delete(randomUUID())).rejects.toThrow('timed out');
  });
});
