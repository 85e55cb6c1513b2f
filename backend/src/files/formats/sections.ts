import type { SectionKind } from '@tanya/contract';
import { cleanText } from '../inspection/text-content.js';

/** Characters of one document that are stored for models: some 400 pages. */
export const MAX_CHARACTERS = 1_000_000;

/** Sections of one document, and pages that are read. Longer documents are cut. */
export const MAX_SECTIONS = 10_000;

/** Characters of a label. A longer heading is text. */
export const MAX_LABEL = 200;

/** Documents inside of one document that are read. */
export const MAX_EMBEDDED = 50;

/** A part of a document with its own place: a page, a slide, a sheet, or what stands below a heading. */
export interface Section {
  kind: SectionKind;
  /** Such as `page 3` or `sheet "Budget"`; '' for a part without a heading. */
  label: string;
  text: string;
  /** As `FileSectionEntity.picture`. */
  picture?: number | null;
  /** Of the heading that is its label, from 1 for the outermost ones. */
  level?: number;
}

/**
 * The label of a page of a PDF: `page 14 (xii)` where the document names its pages in another way, as books do whose covers
 * do not count.
 * @param page from 1
 */
export const pageLabel = (page: number, name = ''): string =>
  name === '' || name === String(page) ? `page ${page}` : `page ${page} (${name})`;

/** Why a document has no text; `hostile`: it is made to exhaust memory or time of its reader. */
export type ExtractionProblem = 'encrypted' | 'empty' | 'broken' | 'hostile' | 'unknown';

/** What a reader has found out about a document beside its text. */
export interface DocumentFacts {
  /** What the content really is, as a noun: `Excel workbook`. */
  kind?: string;
  /** Whether the name or the declared type says something else. */
  isNamedOtherwise?: boolean;
  /** Whether the text ends where the document is broken. */
  isDamaged?: boolean;
  /** Documents inside of this one that were left out or read only in part: damaged ones, or for want of time or memory. */
  embeddedLeft?: number;
  /** The encoding that was guessed for a text. */
  encoding?: string;
  /** Pages of a PDF that were not read yet. A page can exhaust its reader. */
  pagesLeft?: number;
  pages?: number;
  /** Pages of a PDF without text, from 1, in order; blank ones included. */
  textless?: number[];
  /** What a PDF calls its pages, the first one first; for one that names them. */
  pageNames?: string[];
}

/** A document inside of another one. */
export interface EmbeddedFile {
  /** Gives its bytes; undefined for a file that is not there. */
  load: () => Uint8Array | undefined;
  /** Its file's name; '' where the outer document does not say it. */
  name: string;
  /** Label of the section that shows it; '' for the whole document. */
  place: string;
}

export interface ReadText {
  sections: Section[];
  /** Whether the document has more than is stored. */
  isCut: boolean;
}

/** Why a document has no text, and what it is. */
export type ReadFailure = { problem: ExtractionProblem } & DocumentFacts;

export type ExtractionResult = (ReadText & DocumentFacts) | ReadFailure;

/** Stops the reading of a document with a problem. */
export class ExtractionError extends Error {
  constructor(readonly problem: ExtractionProblem) {
    super(`the document is ${problem}`);
  }
}

/** Collects the sections of a document up to `MAX_CHARACTERS`. Readers stop when it is full. */
export class SectionCollector {
  readonly facts: DocumentFacts = {};
  /** Documents inside of this one, which are read after it. */
  readonly embedded: EmbeddedFile[] = [];
  /** The number of those beyond `MAX_EMBEDDED`. */
  embeddedBeyond = 0;
  private readonly sections: (Omit<Section, 'text'> & { texts: string[] })[] = [];
  private length = 0;
  private isShort = false;

  get isFull(): boolean {
    return this.length > MAX_CHARACTERS || this.sections.length > MAX_SECTIONS;
  }

  get hasText(): boolean {
    return this.sections.some(({ texts }) => texts.some((text) => /\S/.test(text)));
  }

  /** Starts a section. Text before the first one is a part without a label. */
  begin(kind: SectionKind, label: string, level?: number): void {
    if (this.isFull) return;
    const line = label.replace(/\s+/g, ' ').trim().slice(0, MAX_LABEL).toWellFormed();
    this.sections.push({ kind, label: line, texts: [], ...(level !== undefined && { level }) });
    this.length += line.length;
  }

  /** Says that the document has more than its reader gives. */
  cutShort(): void {
    this.isShort = true;
  }

  /** Keeps a document for later that is inside of this one, by default inside of the current section. */
  embed(load: EmbeddedFile['load'], name = '', place = this.sections.at(-1)?.label ?? ''): void {
    if (this.embedded.length < MAX_EMBEDDED) this.embedded.push({ load, name, place });
    else this.embeddedBeyond += 1;
  }

  add(text: string): void {
    if (this.isFull || text === '') return;
    if (this.sections.length === 0) this.begin('part', '');
    this.sections.at(-1)!.texts.push(text);
    this.length += text.length;
  }

  /** The sections with clean text, cut to `MAX_CHARACTERS`. Sections without text are left out. */
  collected(): ReadText {
    const sections: Section[] = [];
    let room = MAX_CHARACTERS;
    for (const { kind, label, texts, ...heading } of this.sections.slice(0, MAX_SECTIONS)) {
      const text = cleanText(texts.join(''));
      if (text === '' && (kind !== 'part' || label === '')) continue;
      if (room <= 0) return { sections, isCut: true };
      sections.push({ kind, label: label.replaceAll('\0', ''), text: text.slice(0, room).toWellFormed(), ...heading });
      room -= text.length;
    }
    return { sections, isCut: room < 0 || this.isFull || this.isShort };
  }
}
