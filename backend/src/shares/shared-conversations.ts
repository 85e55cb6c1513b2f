import type { ContinueShareResponse, SharedMessage } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { fileIdsIn } from '../chat/messages/content-files.js';
import { ConversationWriter } from '../chat/messages/conversation-writer.js';
import { TextQuota } from '../chat/messages/text-quota.js';
import { ThreadsService } from '../chat/threads/threads.service.js';
import type { FileEntity } from '../files/file.entity.js';
import { fileUrl } from '../files/file-name.js';
import { FileCopier } from '../files/file-copies.js';
import { FilesService } from '../files/files.service.js';
import type { Identity } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { inSlices } from '../platform/system/slices.js';
import { SettingsService } from '../settings/settings.service.js';
import { ShareLimits } from './share-limits.js';
import { type Snapshot, ShareStore } from './share-store.js';
import { toConversation } from './snapshot.js';
import { ThreadLifetimes } from '../chat/messages/thread-lifetimes.js';

const TOKEN = /^[\w-]{43}$/;

/** A snapshot with the JSON of its messages, in pieces of UTF-8. */
export type SnapshotJson = Snapshot & { json: Buffer[] };

/** Public access to snapshots by their token: read, read a file, continue in a thread of one's own. */
@Injectable()
export class SharedConversations {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly lifetimes: ThreadLifetimes,
    private readonly store: ShareStore,
    private readonly files: FilesService,
    private readonly copier: FileCopier,
    private readonly writer: ConversationWriter,
    private readonly threads: ThreadsService,
    private readonly settings: SettingsService,
    private readonly limits: ShareLimits,
    private readonly texts: TextQuota,
  ) {}

  /** @throws AppError `not_found`, `rate_limited` */
  async read(identity: Identity, token: string): Promise<SnapshotJson> {
    await this.limits.consumeRead(identity);
    const snapshot = await this.find(identity, token);
    const json = await this.store.json(snapshot.id);
    // Revoked since the token was looked up.
    if (json.length === 0) throw new AppError('not_found');
    return { ...snapshot, json };
  }

  /** @throws AppError `not_found`, `rate_limited` */
  async file(identity: Identity, token: string, fileId: string): Promise<FileEntity> {
    const { id } = await this.find(identity, token);
    return this.files.findOfShare(id, fileId);
  }

  /**
   * Copies a snapshot with its files into a new thread of the client.
   * @throws AppError `not_found`, `rate_limited`, `too_large` without room for the files, `storage_full` for the texts
   */
  async continue(identity: Identity, token: string): Promise<ContinueShareResponse> {
    const { owner, userId } = identity;
    const snapshot = await this.find(identity, token);
    await this.limits.consumeContinuation(identity);
    await this.texts.ensureRoom(owner, 1);
    const { messages, fileIds } = await this.parse(await this.store.messages(snapshot.id));
    if (messages.length === 0) throw new AppError('not_found');
    const now = new Date();
    const lifetime = this.lifetimes.ofNew({ userId });
    const threadId = await this.copier.withCopies({ shareId: snapshot.id }, fileIds, owner, (copies) => {
      const conversation = toConversation(snapshot.title, messages, copies.ids, fileUrl);
      return this.dataSource.transaction(async (manager) => {
        const fresh = { createdAt: now, updatedAt: now, lifetime, isPinned: false, isArchived: false };
        await this.writer.claimRoom(manager, owner, conversation);
        const id = await this.writer.insert(manager, owner, { ...conversation, ...fresh });
        await copies.insert(manager, { threadId: id });
        return id;
      });
    });
    this.threads.announce(owner, threadId);
    return { threadId };
  }

  /** Parses messages in several turns of the event loop. */
  private async parse(rows: readonly string[]): Promise<{ messages: SharedMessage[]; fileIds: string[] }> {
    const messages: SharedMessage[] = [];
    const fileIds = new Set<string>();
    for await (const json of inSlices(rows)) {
      const message = JSON.parse(json) as SharedMessage;
      messages.push(message);
      for (const id of fileIdsIn(message)) fileIds.add(id);
    }
    return { messages, fileIds: [...fileIds] };
  }

  /** Looks up a token. Unknown tokens of an address are counted and refused above a limit. */
  private async find(identity: Identity, token: string): Promise<Snapshot> {
    await this.limits.checkMisses(identity);
    if (!this.settings.get().sharingEnabled) throw new AppError('not_found');
    const found = TOKEN.test(token) ? await this.store.findValid(token) : null;
    if (found !== null) return found;
    await this.limits.countMiss(identity);
    throw new AppError('not_found');
  }
}
