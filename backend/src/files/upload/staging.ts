import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { opendir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LIMITS } from '@tanya/contract';
import { filesTooLarge } from '../../platform/errors/error-body.js';
import { makeFolder } from '../../platform/system/make-folder.js';

/** Staged files older than this are abandoned: an upload takes minutes at most, and an import that waits keeps its file. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * Folder of uploads that are not yet accepted. It is on the same disk as the store, so that accepting an upload is a
 * rename. The sweep removes the staged files of killed processes.
 */
export class Staging {
  constructor(private readonly folder: string) {}

  /**
   * Writes a stream to a new file.
   * @param limit bytes; a longer stream is aborted
   * @param refusal creates the error of a stream that is too long
   * @returns the path of the file
   */
  async write(source: Readable, limit: number, refusal: () => Error): Promise<string> {
    const path = join(this.folder, randomUUID());
    let size = 0;
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        if (size > limit) done(refusal());
        else done(null, chunk);
      },
    });
    try {
      await makeFolder(this.folder, { mode: 0o700 });
      await pipeline(source, counter, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
      return path;
    } catch (error) {
      await this.remove(path);
      throw error;
    }
  }

  /** Writes the contents of a stored file to a new file. Generated images may be larger than uploads. */
  writeStored(contents: Readable): Promise<string> {
    const limit = 2 * LIMITS.documentBytes;
    return this.write(contents, limit, () => filesTooLarge('document', limit));
  }

  /** The path of a file that the caller writes, and removes. */
  newPath(): string {
    return join(this.folder, randomUUID());
  }

  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Keeps a staged file from the sweep for another hour. A file that was removed already is not an error. */
  async keep(path: string): Promise<void> {
    const now = new Date();
    await utimes(path, now, now).catch(() => undefined);
  }

  async removeAbandoned(): Promise<void> {
    await makeFolder(this.folder, { mode: 0o700 });
    for await (const { name } of await opendir(this.folder)) {
      const path = join(this.folder, name);
      const found = await stat(path).catch(() => null);
      if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) await this.remove(path);
    }
  }
}
