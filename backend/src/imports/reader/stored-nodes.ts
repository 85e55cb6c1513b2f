import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import type { SourceNode } from './source-conversation.js';

/** Characters of the JSON that is in memory before it is written to the disk. */
const PAGE_CHARACTERS = 2_000_000;

interface Page {
  /** Bytes before it in the file. */
  start: number;
  bytes: number;
}

/** The nodes of a conversation that is too long for memory, in a file on the disk. They can be read any number of times. */
export class StoredNodes implements Iterable<SourceNode> {
  private readonly file: number;
  private readonly pages: Page[] = [];
  private bytes = 0;
  private last: string[] = [];
  private lastCharacters = 0;

  /** @param path of the file, which is emptied */
  constructor(path: string) {
    this.file = openSync(path, 'w+', 0o600);
  }

  add(node: SourceNode): void {
    const json = JSON.stringify(node);
    if (this.lastCharacters + json.length > PAGE_CHARACTERS) this.writePage();
    this.last.push(json);
    this.lastCharacters += json.length;
  }

  *[Symbol.iterator](): Generator<SourceNode> {
    for (const { start, bytes } of this.pages) {
      const text = Buffer.alloc(bytes);
      for (let read = 0; read < bytes;) read += readSync(this.file, text, read, bytes - read, start + read);
      yield* JSON.parse(text.toString()) as SourceNode[];
    }
    for (const json of this.last) yield JSON.parse(json) as SourceNode;
  }

  close(): void {
    closeSync(this.file);
  }

  private writePage(): void {
    if (this.last.length === 0) return;
    const text = Buffer.from(`[${this.last.join(',')}]`);
    for (let written = 0; written < text.length;) written += writeSync(this.file, text, written);
    this.pages.push({ start: this.bytes, bytes: text.length });
    this.bytes += text.length;
    this.last = [];
    this.lastCharacters = 0;
  }
}
