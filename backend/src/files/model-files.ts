import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { AppError } from '../platform/errors/app-error.js';
import type { Owner } from '../identity/identity.js';
import { FileEntity } from './file.entity.js';
import { fileIdOf } from './file-name.js';
import { FILE_STORE, type FileStore } from './store/file-store.js';

/** Model input of a file: images and audio as data URLs, other files as text. */
export type ModelFile = { kind: 'image' | 'audio'; dataUrl: string } | { kind: 'document'; name: string; text: string };

/** Reads files as model input. */
@Injectable()
export class ModelFiles {
  constructor(
    @InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>,
    @Inject(FILE_STORE) private readonly store: FileStore,
  ) {}

  /** @returns null for a file that does not exist or belongs to another owner */
  async read(owner: Owner, urlOrId: string): Promise<ModelFile | null> {
    const id = fileIdOf(urlOrId);
    if (id === null) return null;
    const file = await this.rows
      .createQueryBuilder('file')
      .addSelect('file.text')
      .where({ id, owner, shareId: IsNull() })
      .getOne();
    if (file === null) return null;
    const kind = file.type.split('/')[0];
    if (kind !== 'image' && kind !== 'audio') {
      return { kind: 'document', name: file.name, text: file.text ?? `(${file.notice ?? 'No text.'})` };
    }
    const bytes = await this.contentsOf(id);
    return bytes === null ? null : { kind, dataUrl: `data:${file.type};base64,${bytes.toString('base64')}` };
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
