import * as xlsx from '@e965/xlsx';
import { ExtractionError } from '../sections.js';

interface Entry {
  content?: Uint8Array;
}

interface Container {
  /** Each with the root's name first; those of storages end with a slash. */
  FullPaths: string[];
  FileIndex: Entry[];
}

/** The library's reader and writer of OLE compound files, which its types omit. */
const containers = xlsx.CFB as {
  read(bytes: Buffer, options: { type: 'buffer' }): Container;
  write(container: Container, options: { type: 'buffer' }): Buffer;
  utils: {
    cfb_new(): Container;
    cfb_add(container: Container, path: string, content: Uint8Array): void;
  };
};

/** Storages with an embedded document: of Word below `ObjectPool`, of Excel in the root. */
const EMBEDDED = /^(?:objectpool\/[^/]+|mbd[0-9a-f]+)\//;

/** A file of Office before 2007, or of Outlook: a container of streams. */
export class OleFile {
  /** @param streams by their paths in lower case: some programs write other ones than they refer to */
  private constructor(private readonly streams: ReadonlyMap<string, Entry>) {}

  /** @throws ExtractionError `broken` */
  static open(bytes: Buffer): OleFile {
    try {
      const { FullPaths, FileIndex } = containers.read(bytes, { type: 'buffer' });
      const paths = FullPaths.map((path) => path.replace(/^[^/]*\//, '').replace(/\/$/, ''));
      return new OleFile(new Map(paths.map((path, index) => [path.toLowerCase(), FileIndex[index]!])));
    } catch {
      throw new ExtractionError('broken');
    }
  }

  has(name: string): boolean {
    return this.streams.has(name.toLowerCase());
  }

  /** Readers of the documents that it contains. */
  embeddedFiles(): (() => Buffer)[] {
    const storages = new Set([...this.streams.keys()].flatMap((path) => EMBEDDED.exec(path)?.[0] ?? []));
    return [...storages].map(
      (storage) => () => this.copy((path) => (path.startsWith(storage) ? path.slice(storage.length) : '')),
    );
  }

  /** A file with some of the streams. @param nameOf the path of a stream in the copy; '' to leave it out */
  copy(nameOf: (path: string) => string): Buffer {
    const copy = containers.utils.cfb_new();
    for (const [path, { content }] of this.streams) {
      const name = nameOf(path);
      if (content && name !== '') containers.utils.cfb_add(copy, `/${name}`, content);
    }
    return containers.write(copy, { type: 'buffer' });
  }

  /** The bytes of a stream; null for one that does not exist. */
  stream(name: string): Buffer | null {
    const content = this.streams.get(name.toLowerCase())?.content;
    return content ? Buffer.from(content) : null;
  }
}
