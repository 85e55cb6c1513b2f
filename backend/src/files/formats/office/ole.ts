import * as xlsx from '@e965/xlsx';
import { ExtractionError } from '../sections.js';

interface Entry {
  content: Uint8Array;
}

/** The library's reader of OLE compound files, which its types omit. */
const containers = xlsx.CFB as {
  read(bytes: Buffer, options: { type: 'buffer' }): { FullPaths: string[] };
  find(container: object, path: string): Entry | null;
};

/** A file of Office before 2007, or of Outlook: a container of streams. */
export class OleFile {
  private constructor(
    private readonly container: { FullPaths: string[] },
    /** Names of the streams in the root, in lower case. */
    private readonly names: ReadonlySet<string>,
  ) {}

  /** @throws ExtractionError `broken` */
  static open(bytes: Buffer): OleFile {
    try {
      const container = containers.read(bytes, { type: 'buffer' });
      const names = container.FullPaths.map((path) => path.replace(/^[^/]*\//, '').replace(/\/$/, ''));
      return new OleFile(container, new Set(names.map((name) => name.toLowerCase())));
    } catch {
      throw new ExtractionError('broken');
    }
  }

  has(name: string): boolean {
    return this.names.has(name.toLowerCase());
  }

  /** The bytes of a stream; null for one that does not exist. */
  stream(name: string): Buffer | null {
    const content = this.has(name) ? containers.find(this.container, `/${name}`)?.content : undefined;
    return content ? Buffer.from(content) : null;
  }
}
