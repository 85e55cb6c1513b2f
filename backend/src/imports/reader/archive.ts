import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LIMITS } from '@tanya/contract';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { isBroken, UnreadableExport } from './unreadable-export.js';

/** An archive of this product has two texts for each conversation, and the files. */
const MAX_ENTRIES = 3 * LIMITS.importConversations;

/**
 * Size of all contents that are read, inflated, bytes. Bounds the work that a small archive can cause. The texts for which an
 * account has room, with what JSON adds, and all its files are below it.
 */
const MAX_READ_BYTES = 4 * 1024 * 1024 * 1024;

/** The conversations of ChatGPT and Claude, also the numbered parts of large exports, and those of Grok. */
const CONVERSATIONS = /(^|\/)(conversations(-\d+)?|prod-grok-backend)\.json$/;
const JSON_FILE = /\.json$/i;

/**
 * A thread in an archive of this product, also in the folder into which it was unpacked. Its other texts hold no
 * conversations, and may be too large to read.
 */
const OWN_THREAD = /(?:^|\/)threads\/\d+\.json$/;

/** A file in an archive of this product, and the address that its messages have for it. */
const OWN_FILE = /(?:^|\/)files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.[a-z0-9]{1,10})?$/;
const addressOf = (id: string): string => `/api/files/${id}`;

/** A file of Grok, under its id. */
const GROK_FILE = /(?:^|\/)prod-mc-asset-server\/([\w-]+)\/content$/;

/** Files that systems add to archives. Those of macOS have the names of others, with a prefix. */
const HIDDEN_FILE = /^__MACOSX\/|(^|\/)\.[^/]*$/;

/** The id with which the name of an exported file begins: `file-Ab12…` or `file_00ab…`. */
const ASSET_ID = /^file[-_][A-Za-z0-9]+/;

export interface ExportText {
  /** Its path in the archive; '' outside of one. */
  name: string;
  /** @throws UnreadableExport */
  open: () => Promise<Readable>;
}

/** The file of an export: a ZIP archive, or JSON text. Names of entries are looked up and never become a path. */
export interface ExportFile {
  /** The JSON texts with conversations. */
  readonly texts: readonly ExportText[];
  /** Writes a stored file to `path`. @returns false for an unknown id, a damaged file and one above `limit` bytes */
  extract(assetId: string, path: string, limit: number): Promise<boolean>;
  /** The share of the texts that has been read, 0 to 1. */
  progress(): number;
  close(): void;
}

/** @throws UnreadableExport */
export async function openExport(path: string): Promise<ExportFile> {
  const zip = await openPromise(path, { autoClose: false }).catch(() => null);
  return zip === null ? plainFile(path, (await stat(path)).size) : ZipExport.open(zip);
}

function plainFile(path: string, size: number): ExportFile {
  const stream = createReadStream(path);
  return {
    texts: [{ name: '', open: async () => stream }],
    extract: async () => false,
    progress: () => stream.bytesRead / Math.max(size, 1),
    close: () => void stream.destroy(),
  };
}

class ZipExport implements ExportFile {
  readonly texts: readonly ExportText[];
  private readBytes = 0;
  private textBytes = 0;

  private constructor(
    private readonly zip: ZipFile,
    private readonly conversations: readonly Entry[],
    private readonly assets: ReadonlyMap<string, Entry>,
  ) {
    this.texts = conversations.map((entry) => ({
      name: entry.fileName,
      open: () => this.read(entry, (bytes) => (this.textBytes += bytes)),
    }));
  }

  static async open(zip: ZipFile): Promise<ZipExport> {
    try {
      if (zip.entryCount > MAX_ENTRIES) throw new UnreadableExport('too-many');
      const [threads, named, others]: Entry[][] = [[], [], []];
      const assets = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        const { fileName } = entry;
        if (HIDDEN_FILE.test(fileName)) continue;
        const [, own] = OWN_FILE.exec(fileName) ?? [];
        if (own !== undefined) {
          assets.set(addressOf(own), entry);
          continue;
        }
        const id = GROK_FILE.exec(fileName)?.[1] ?? ASSET_ID.exec(fileName.slice(fileName.lastIndexOf('/') + 1))?.[0];
        if (OWN_THREAD.test(fileName)) threads!.push(entry);
        else if (CONVERSATIONS.test(fileName)) named!.push(entry);
        else if (id !== undefined) assets.set(id, entry);
        else if (JSON_FILE.test(fileName)) others!.push(entry);
      }
      const found = [threads!, named!, others!].find((entries) => entries.length > 0) ?? [];
      return new ZipExport(
        zip,
        found.toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1)),
        assets,
      );
    } catch (error) {
      zip.close();
      throw asUnreadable(error);
    }
  }

  progress(): number {
    const total = this.conversations.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    return this.textBytes / Math.max(total, 1);
  }

  async extract(assetId: string, path: string, limit: number): Promise<boolean> {
    const entry = this.assets.get(assetId);
    if (entry === undefined || entry.uncompressedSize > limit) return false;
    try {
      await pipeline(await this.read(entry), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      return true;
    } catch (error) {
      if (isBroken(error)) return false;
      throw error;
    }
  }

  close(): void {
    this.zip.close();
  }

  /** Inflates an entry. The archive checks its declared size, and the sum of all sizes is bounded. */
  private async read(entry: Entry, onBytes?: (bytes: number) => void): Promise<Readable> {
    if (!entry.canDecodeFileData()) throw new UnreadableExport('broken');
    const stream = await this.zip.openReadStreamPromise(entry).catch((error: unknown) => {
      throw asUnreadable(error);
    });
    const counter = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.readBytes += chunk.length;
        onBytes?.(chunk.length);
        if (this.readBytes > MAX_READ_BYTES) done(new UnreadableExport('too-large'));
        else done(null, chunk);
      },
    });
    stream.once('error', (error) => counter.destroy(asUnreadable(error)));
    counter.once('close', () => stream.destroy());
    return stream.pipe(counter);
  }
}

const asUnreadable = (error: unknown): UnreadableExport =>
  error instanceof UnreadableExport ? error : new UnreadableExport('broken', { cause: error });
