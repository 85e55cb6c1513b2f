import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** An entry of an archive, as its manifest lists it. */
export interface ArchivedEntry {
  path: string;
  bytes: number;
  sha256: string;
}

/** Writes a ZIP archive to the disk, one entry after the other, so that only a piece of one is in memory. */
export class ArchiveWriter {
  readonly entries: ArchivedEntry[] = [];
  private readonly zip = new ZipFile();
  private readonly written: Promise<void>;
  private writtenBytes = 0;

  /** @param path of the new file */
  constructor(
    path: string,
    private readonly signal: AbortSignal,
  ) {
    const count = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.writtenBytes += chunk.length;
        done(null, chunk);
      },
    });
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    this.written = pipeline(this.zip.outputStream, count, target, { signal });
    // A failure, such as that of a full disk, ends the next entry.
    this.written.catch(() => undefined);
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.writtenBytes;
  }

  /** Adds an entry whose text is made while it is written. @param compress false for contents that are small already */
  async add(path: string, pieces: AsyncIterable<string | Buffer>, compress = true): Promise<ArchivedEntry> {
    this.signal.throwIfAborted();
    const hash = createHash('sha256');
    let bytes = 0;
    const source = Readable.from(pieces, { objectMode: false });
    const hashed = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk);
        bytes += chunk.length;
        done(null, chunk);
      },
    });
    const read = pipeline(source, hashed, { signal: this.signal });
    const ended = once(hashed, 'end', { signal: this.signal });
    this.zip.addReadStream(hashed, path, { compress, mtime: new Date() });
    await Promise.race([
      Promise.all([read, ended]),
      this.written.then(() => Promise.reject(new Error('archive closed'))),
    ]);
    const entry = { path, bytes, sha256: hash.digest('hex') };
    this.entries.push(entry);
    return entry;
  }

  /** Writes the end of the archive, to the disk. */
  async close(): Promise<void> {
    this.zip.end();
    await this.written;
  }
}
