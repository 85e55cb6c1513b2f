import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import type { Owner } from '../identity/identity.js';
import { DocumentReader } from './document-reader.js';
import { FileEntity } from './file.entity.js';
import { fileIdOf } from './file-name.js';
import type { Section } from './formats/sections.js';
import { FILE_STORE, type FileStore } from './store/file-store.js';

/** Model input of a file: images and audio as data URLs, other files as text. */
export type ModelFile = { kind: 'image' | 'audio'; dataUrl: string } | { kind: 'document'; name: string; text: string };

/** $1 file. */
const SECTIONS = 'select kind, label, text from file_section where file_id = $1 order by index';

/** Reads files as model input. */
@Injectable()
export class ModelFiles {
  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly reader: DocumentReader,
  ) {}

  /** @returns null for a file that does not exist or belongs to another owner */
  async read(owner: Owner, urlOrId: string): Promise<ModelFile | null> {
    const id = fileIdOf(urlOrId);
    const file = id === null ? null : await this.rows.findOneBy({ id, owner, shareId: IsNull() });
    if (file === null) return null;
    const kind = file.type.split('/')[0];
    if (kind !== 'image' && kind !== 'audio')
      return { kind: 'document', name: file.name, text: await this.textOf(file) };
    const bytes = await this.contentsOf(file.id);
    return bytes === null ? null : { kind, dataUrl: `data:${file.type};base64,${bytes.toString('base64')}` };
  }

  /** The text of a document, each section below its label. */
  private async textOf(given: FileEntity): Promise<string> {
    await this.reader.refresh(given);
    const sections = await this.rows.query<Section[]>(SECTIONS, [given.id]);
    if (sections.length > 0) return sections.map(labelled).join('\n\n');
    const file = await this.rows.findOne({ select: { text: true, notice: true }, where: { id: given.id } });
    return file?.text ?? `(${file?.notice ?? 'No text.'})`;
  }

  private async contentsOf(id: string): Promise<Buffer | null> {
    try {
      return await buffer(await this.store.read(id));
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return null;
      throw error;
    }
  }
}

/** A section as models read it, with its place, so that an answer can name it. */
const labelled = ({ label, text }: Section): string =>
  [label === '' ? '' : `[${label}]`, text].filter(Boolean).join('\n');
