import type { SectionKind, StoredFile } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, type Repository } from 'typeorm';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import type { Owner } from '../identity/identity.js';
import { FileEntity } from './file.entity.js';
import type { Section } from './formats/sections.js';
import { toStoredFile } from './stored-file.js';

/** A file with what was read of it. Its contents are at its address. */
export interface ExportedFile extends StoredFile {
  createdAt: Date;
  /** Of a document. A page of a PDF without text has an empty one. */
  sections?: Section[];
}

const SECTIONS = 'select kind, label, text from file_section where file_id = $1 order by index';

/** The text of a document as an earlier version has read it. $1 file. */
const EARLIER_TEXT = 'select text from file where id = $1';

/** The kinds of sections of documents, how many each has, and the first labels. $1 ids. */
const OUTLINES = `select file_id as "fileId", kind, count(*)::int as sections,
    (array_agg(label order by index) filter (where label <> ''))[1:20] as labels
  from file_section where file_id = any($1::uuid[]) group by file_id, kind`;

interface Outline {
  fileId: string;
  kind: SectionKind;
  sections: number;
  labels: string[] | null;
}

/** Exports of files: of an account, and of the documents of a conversation. */
@Injectable()
export class FileExport {
  private isHidden = 'false';

  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('files', (owner) => this.all(owner));
  }

  /** The documents among files, with their sections; files of others are left out. */
  async *documents(owner: Owner, ids: readonly string[]): AsyncGenerator<ExportedFile> {
    for (const file of await this.rows.findBy({ id: In([...ids]), owner, shareId: IsNull() })) {
      const exported = await this.withSections(file);
      if (exported.sections !== undefined) yield exported;
    }
  }

  /** What a reader of a conversation needs to know of its documents, by id: `12 pages, 3 as pictures`, or the sheets. */
  async outlines(owner: Owner, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const files = await this.rows.findBy({ id: In([...ids]), owner, shareId: IsNull() });
    const found = await this.rows.query<Outline[]>(OUTLINES, [files.map(({ id }) => id)]);
    return new Map(
      files.flatMap((file) => {
        const text = pagesOf(file) ?? labelsOf(found.filter(({ fileId }) => fileId === file.id));
        return text === '' ? [] : [[file.id, text]];
      }),
    );
  }

  /**
   * Leaves files out that belong to threads of a table of another room.
   * @param isHidden expression of type boolean for the expression of a thread's id
   */
  leaveOutFilesOf(isHidden: (threadId: string) => string): void {
    this.isHidden = `file.also_in = '{}' and ${isHidden('file.thread_id')}`;
  }

  /** The rows of an owner's files, the oldest first. The storage quota bounds their number. */
  rowsOf(owner: Owner): Promise<FileEntity[]> {
    return this.rows
      .createQueryBuilder('file')
      .where('file.owner = :owner and file.share_id is null', { owner })
      .andWhere(`not coalesce(${this.isHidden}, false)`)
      .orderBy('file.created_at')
      .getMany();
  }

  private async *all(owner: Owner): AsyncGenerator<ExportedFile> {
    for (const file of await this.rowsOf(owner)) yield this.withSections(file);
  }

  private async withSections(file: FileEntity): Promise<ExportedFile> {
    const exported = { ...toStoredFile(file), createdAt: file.createdAt };
    if (/^(image|audio)\//.test(file.type)) return exported;
    const sections = await this.rows.query<Section[]>(SECTIONS, [file.id]);
    if (sections.length > 0) return { ...exported, sections };
    const [earlier] = await this.rows.query<{ text: string | null }[]>(EARLIER_TEXT, [file.id]);
    const text = earlier?.text ?? null;
    return { ...exported, sections: text === null ? [] : [{ kind: 'part', label: '', text }] };
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function pagesOf({ pages, pictures }: FileEntity): string | null {
  if (pages === null) return null;
  return counted(pages, 'page') + (pictures > 0 ? `, ${pictures} as ${pictures === 1 ? 'a picture' : 'pictures'}` : '');
}

/** Slides are numbered, so their number says all; sheets and headings have names. */
const labelsOf = (outlines: readonly Outline[]): string =>
  outlines
    .map(({ kind, sections, labels }) => {
      if (kind === 'slide' || kind === 'page') return counted(sections, kind);
      const named = labels ?? [];
      const more = sections - named.length;
      return named.length === 0 ? '' : [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
    })
    .filter(Boolean)
    .join(', ');
