import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/**
 * The archive keeps the name of each entry in a piece of Node's pool of small buffers. From Node 24 on a piece of the pool has
 * 64 kB, and compressors take their memory from it: a name of 20 bytes held 21 kB.
 */
Buffer.poolSize = Math.min(Buffer.poolSize, 8 * 1024);

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
  /** Ends the next entry after a failure, such as that of a full disk. */
  private readonly failure = new AbortController();
  private readonly signal: AbortSignal;
  private writtenBytes = 0;

  /**
   * @param path of the new file
   * @param onWritten called after each piece of the archive
   */
  constructor(path: string, signal: AbortSignal, onWritten: () => void = () => undefined) {
    this.signal = AbortSignal.any([signal, this.failure.signal]);
    const count = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.writtenBytes += chunk.length;
        onWritten();
        done(null, chunk);
      },
    });
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    this.written = pipeline(this.zip.outputStream, count, target, { signal });
    this.written.catch((error: unknown) => this.failure.abort(error));
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.writtenBytes;
  }

  /** Adds an entry whose text is made while it is written. @param compress false for contents that are small already */
  async add(path: string, pieces: AsyncIterable<string | Buffer>, compress = true): Promise<ArchivedEntry> {
    this.signal.throwIfAborted();
    const hashed = new HashedBytes();
    const { signal } = this;
    const read = pipeline(Readable.from(pieces, { objectMode: false }), hashed, { signal });
    const passedOn = finished(hashed, { signal, cleanup: true });
    this.zip.addReadStreamLazy(path, { compress, mtime: new Date() }, givenOnce(hashed));
    try {
      await Promise.all([read, passedOn]);
    } catch (error) {
      this.signal.throwIfAborted();
      throw error;
    }
    const entry = { path, bytes: hashed.bytes, sha256: hashed.digest() };
    this.entries.push(entry);
    return entry;
  }

  /** Writes the end of the archive, to the disk. */
  async close(): Promise<void> {
    this.zip.end();
    await this.written;
  }
}

/** Passes bytes on, and counts and hashes them. */
class HashedBytes extends Transform {
  bytes = 0;
  private readonly hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    done(null, chunk);
  }

  digest(): string {
    return this.hash.digest('hex');
  }
}

/**
 * Gives a stream to the archive once. The archive keeps what it calls for each entry until its end: with the stream, that
 * would be the stream and the compressor behind it, 16 kB for each of ten thousand entries.
 */
function givenOnce(stream: Readable): (done: (error: unknown, stream: Readable) => void) => void {
  let given: Readable | null = stream;
  return (done) => {
    const taken = given!;
    given = null;
    done(null, taken);
  };
}
