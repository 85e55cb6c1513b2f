import { createReadStream } from 'node:fs';
import { open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../platform/errors/app-error.js';
import { makeFolder } from '../../platform/system/make-folder.js';
import type { ByteRange, FileStore, StoredBytes } from './file-store.js';
import { isFileId } from '../file-name.js';

const SHARD_LENGTH = 2;

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Stores files on disk, sharded into folders by the first characters of their ids. `put` is an atomic rename. */
export class DiskFileStore implements FileStore {
  constructor(private readonly folder: string) {}

  async put(id: string, path: string): Promise<void> {
    const target = this.path(id);
    await makeFolder(dirname(target), { mode: 0o700 });
    await rename(path, target);
  }

  async read(id: string, range?: ByteRange): Promise<Readable> {
    const file = await open(this.path(id), 'r').catch((error: unknown) => {
      throw isMissing(error) ? new AppError('not_found', { cause: error }) : error;
    });
    return createReadStream('', { fd: file, ...range });
  }

  async delete(id: string): Promise<void> {
    await rm(this.path(id), { force: true });
  }

  async *list(): AsyncIterable<StoredBytes> {
    for await (const shard of entries(this.folder)) {
      if (!shard.isDirectory() || shard.name.length !== SHARD_LENGTH) continue;
      for await (const { name } of entries(join(this.folder, shard.name))) {
        const found = isFileId(name) ? await stat(this.path(name)).catch(() => null) : null;
        if (found !== null) yield { id: name, modifiedAt: found.mtime };
      }
    }
  }

  private path(id: string): string {
    if (!isFileId(id)) throw new AppError('not_found');
    return join(this.folder, id.slice(0, SHARD_LENGTH), id);
  }
}

async function* entries(folder: string) {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
