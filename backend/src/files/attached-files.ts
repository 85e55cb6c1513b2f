import {
  type FileKind,
  fileKind,
  LIMITS,
  type MessageAttachment,
  type MessageContent,
  type OutgoingMessage,
  TEXTS,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import type { Owner } from '../identity/identity.js';
import { FileEntity } from './file.entity.js';
import { fileIdOf, fileUrl } from './file-name.js';
import { pageCounts } from './stored-file.js';

/** The older fields of a message, each with one file. */
export const FILE_FIELDS = ['imageData', 'audioData', 'fileUrl'] as const;

/** Required prefix of the file's media type, by field; a `fileUrl` can be any file. */
const TYPE_PREFIX = { imageData: 'image/', audioData: 'audio/', fileUrl: '' } as const;

const attachFiles = statement<{ owner: Owner; ids: string[]; threadId: number }>(`update file set
    thread_id = coalesce(thread_id, :threadId::bigint),
    also_in = case when thread_id <> :threadId::bigint and :threadId::bigint <> all(also_in)
      then also_in || :threadId::bigint else also_in end
  where owner = :owner and id = any(:ids::uuid[]) and share_id is null
  returning id, type`);

/**
 * Expression of type integer, for statements of other rooms: the pages of all files of the thread `:threadId` that go to
 * models as pictures, without a bound.
 */
export const PICTURES_OF_THREAD = `(
    select coalesce(sum(pictures), 0)::int from file
    where owner = :owner and (thread_id = :threadId::bigint or :threadId::bigint = any(also_in))
  )`;

const TOO_MANY = `A message carries at most ${LIMITS.attachments} files.`;

/** The files of a message, in `attachments` and in the older fields. */
export type Attached = Pick<OutgoingMessage, 'attachments' | (typeof FILE_FIELDS)[number]>;

const fieldFiles = (content: Attached): { field: (typeof FILE_FIELDS)[number]; id: string }[] =>
  FILE_FIELDS.flatMap((field) => {
    const id = fileIdOf(content[field] ?? '');
    return id === null ? [] : [{ field, id }];
  });

/** The ids of all files, each once: `attachments` in their order, then files that only the older fields name. */
const fileIds = (content: Attached): string[] => {
  const attachments = (content.attachments ?? []).map(({ fileId }) => fileId);
  return [...new Set([...attachments, ...fieldFiles(content).map(({ id }) => id)])];
};

/** Whether a message refers to files. */
export const hasFiles = (content: Attached): boolean =>
  Boolean(content.attachments?.length) || FILE_FIELDS.some((field) => Boolean(content[field]));

/** The content of a message with these files. The older fields are for clients that do not read `attachments`. */
export const contentWithFiles = (text: string, attachments: MessageAttachment[]): MessageContent =>
  attachments.length === 0 ? { text } : { text, ...olderFields(attachments), attachments };

/** The older fields for clients that do not read `attachments`: the first file of each kind. */
function olderFields(attachments: readonly MessageAttachment[]): Partial<OutgoingMessage> {
  const first = (kind: FileKind) => attachments.find(({ type }) => fileKind(type) === kind);
  const [image, audio, document] = [first('image'), first('audio'), first('document')];
  return {
    ...(image && { imageData: image.url }),
    ...(audio && { audioData: audio.url }),
    ...(document && {
      fileUrl: document.url,
      fileName: document.name || TEXTS.defaults.fileName,
      fileType: document.type,
      fileSize: document.size,
    }),
  };
}

/** Files that messages refer to: reads their properties, and attaches them to threads. */
@Injectable()
export class AttachedFiles {
  constructor(@InjectRepository(FileEntity) private readonly rows: Repository<FileEntity>) {}

  /**
   * The content to store for a send: its `attachments` with the properties of the stored files, and the older fields for
   * the first file of each kind. Files of the older fields are added to `attachments`. A send without `attachments` is
   * returned unchanged.
   * @throws AppError `not_found` for a file that does not exist or belongs to another owner, `invalid` for too many
   */
  async withFileProperties(owner: Owner, content: OutgoingMessage): Promise<MessageContent> {
    const { attachments: given, ...rest } = content;
    if (given === undefined || given.length === 0) return rest;
    const ids = fileIds(content);
    if (ids.length > LIMITS.attachments) throw invalidField('content.attachments', TOO_MANY);
    const rows = await this.rows.findBy({ id: In(ids), owner, shareId: IsNull() });
    const attachments = ids.map((fileId): MessageAttachment => {
      const file = rows.find(({ id }) => id === fileId);
      if (file === undefined) throw new AppError('not_found');
      const { name, type, size } = file;
      return { fileId, url: fileUrl(fileId), name, type, size, ...pageCounts(file) };
    });
    const { text, hasCode } = rest;
    return { text, ...(hasCode !== undefined && { hasCode }), ...olderFields(attachments), attachments };
  }

  /** The pages of a message's documents that go to models as pictures, without a bound. */
  async picturesIn(owner: Owner, content: Attached): Promise<number> {
    const ids = fileIds(content);
    return ids.length === 0 ? 0 : ((await this.rows.sum('pictures', { id: In(ids), owner, shareId: IsNull() })) ?? 0);
  }

  /**
   * Attaches the files of a message to its thread, inside the transaction of the send.
   * @throws AppError `not_found`, or `invalid` when a file's type does not fit its field
   */
  async attach(manager: EntityManager, owner: Owner, content: Attached, threadId: number): Promise<void> {
    const ids = fileIds(content);
    if (ids.length === 0) return;
    const [rows] = await manager.query<[{ id: string; type: string }[], number]>(
      ...attachFiles({ owner, ids, threadId }),
    );
    if (rows.length < ids.length) throw new AppError('not_found');
    for (const { field, id } of fieldFiles(content)) {
      const type = rows.find((row) => row.id === id)!.type;
      if (!type.startsWith(TYPE_PREFIX[field]))
        throw invalidField(`content.${field}`, `The file in ${field} is ${type}: send it as fileUrl.`);
    }
  }
}
