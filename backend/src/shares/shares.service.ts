import { randomUUID } from 'node:crypto';
import { LIMITS, type Message, type OwnShare, type Share, type ShareCounts, type SharedMessage } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { fileIdsIn } from '../chat/messages/content-files.js';
import { TextQuota } from '../chat/messages/text-quota.js';
import { ThreadsService } from '../chat/threads/threads.service.js';
import { type FileCopies, FileCopier } from '../files/file-copies.js';
import { FilesService } from '../files/files.service.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { type Identity, type Owner, ownerUserId } from '../identity/identity.js';
import { runIn } from '../platform/database/statements.js';
import { AppError, refuseField } from '../platform/errors/app-error.js';
import { newToken } from '../platform/secrets/new-token.js';
import { inSlices } from '../platform/system/slices.js';
import { SettingsService } from '../settings/settings.service.js';
import { ShareLimits } from './share-limits.js';
import { type OwnShareRow, ShareStore } from './share-store.js';
import { sharedFileUrl, snapshotOf } from './snapshot.js';

@Injectable()
export class SharesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: ShareStore,
    private readonly threads: ThreadsService,
    private readonly files: FilesService,
    private readonly copier: FileCopier,
    private readonly settings: SettingsService,
    private readonly limits: ShareLimits,
    private readonly texts: TextQuota,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('shares', (owner) => this.exportOf(owner));
  }

  /**
   * Creates a link to a snapshot of the thread's shown path. It counts before the path is read.
   * @param origin of the link's URL
   * @throws AppError `forbidden` while sharing is off, `not_found`, `too_large`, `invalid`, `rate_limited`, `conflict` at
   *   the maximum of links, `storage_full`
   */
  async create(identity: Identity, threadId: number, expiresAt: string | undefined, origin: string): Promise<Share> {
    if (!this.settings.get().sharingEnabled) throw new AppError('forbidden', { reason: 'sharing_off' });
    const expiry = expiryOf(expiresAt);
    await this.limits.consumeCreation(identity);
    const userId = identity.userId!;
    await this.requireFewer(userId);
    const { thread, slices } = await this.threads.conversation(identity.owner, threadId, LIMITS.shareMessages + 1);
    const { messages, characters, fileIds } = await withinBounds(slices);
    await this.texts.ensureRoom(identity.owner, characters);
    const token = newToken();
    const share = { id: randomUUID(), token, userId, title: thread.title, expiresAt: expiry };
    const row = await this.copier.withCopies({ owner: identity.owner }, fileIds, identity.owner, async (copies) => {
      const ids = idsOfCopies(fileIds, copies);
      const json = await jsonOf(
        messages,
        snapshotOf((id) => sharedFileUrl(token, id), ids),
      );
      return this.dataSource.transaction(async (manager) => {
        await this.texts.claimRoom(runIn(manager), identity.owner, json.length);
        // Again, now that other links of the account wait.
        await this.requireFewer(userId, manager);
        const inserted = await this.store.insert(manager, share, { json, count: messages.length });
        await copies.insert(manager, { shareId: share.id });
        return inserted;
      });
    });
    const { title: _title, messageCount: _count, ...created } = toOwnShare(row, origin);
    return created;
  }

  /** Newest first. @param origin of the links' URLs */
  async list(userId: number, origin: string): Promise<OwnShare[]> {
    return (await this.store.list(userId)).map((row) => toOwnShare(row, origin));
  }

  /** Deletes a link with its snapshot and files. @throws AppError `not_found` */
  async revoke(userId: number, token: string): Promise<void> {
    const id = await this.store.findOwn(userId, token);
    if (id === null) throw new AppError('not_found');
    await this.files.deleteContentsOfShares([id], () => this.store.delete([id]));
  }

  async counts(): Promise<ShareCounts> {
    return { ...(await this.store.totals()), ...(await this.files.totalOfShares()) };
  }

  /** @throws AppError `conflict` at the maximum of links */
  private async requireFewer(userId: number, manager?: EntityManager): Promise<void> {
    if ((await this.store.list(userId, manager)).length < LIMITS.shares) return;
    throw new AppError('conflict', { reason: 'share_links', params: { max: LIMITS.shares } });
  }

  private async *exportOf(owner: Owner): AsyncGenerator<OwnShareRow> {
    const userId = ownerUserId(owner);
    if (userId !== null) yield* await this.store.list(userId);
  }
}

function expiryOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const expiresAt = new Date(text);
  if (!(expiresAt.getTime() > Date.now())) throw refuseField('expiresAt', 'expiry_past');
  return expiresAt;
}

/** A message and its length as JSON. */
interface SizedMessage {
  message: Message;
  characters: number;
}

/** Reads a conversation as far as a snapshot may have it. @throws AppError `too_large` */
export async function withinBounds(
  slices: AsyncIterable<Message[]>,
): Promise<{ messages: SizedMessage[]; characters: number; fileIds: string[] }> {
  const messages: SizedMessage[] = [];
  const files = new Set<string>();
  let total = 0;
  for await (const slice of slices) {
    for (const message of slice) {
      const characters = JSON.stringify(message).length;
      total += characters;
      messages.push({ message, characters });
      for (const id of fileIdsIn(message)) files.add(id);
    }
    requireAtMost(LIMITS.shareMessages, 'messages', messages.length);
    requireAtMost(LIMITS.shareCharacters, 'characters', total);
    requireAtMost(LIMITS.shareFiles, 'files', files.size);
  }
  return { messages, characters: total, fileIds: [...files] };
}

function requireAtMost(limit: number, unit: string, count: number): void {
  if (count > limit) throw new AppError('too_large', { reason: 'share', params: { limit, unit } });
}

/** The id of each file's copy. A deleted file gets an id that leads to no file: a copy has no ids of uploads. */
export const idsOfCopies = (fileIds: readonly string[], { ids }: Pick<FileCopies, 'ids'>): Map<string, string> =>
  new Map(fileIds.map((id) => [id, ids.get(id) ?? randomUUID()]));

/** The JSON of a snapshot, made in several turns of the event loop. */
async function jsonOf(messages: SizedMessage[], toShared: (message: Message) => SharedMessage): Promise<string> {
  const parts: string[] = [];
  for await (const { message } of inSlices(messages)) parts.push(JSON.stringify(toShared(message)));
  return `[${parts.join(',')}]`;
}

const toOwnShare = ({ token, title, messageCount, createdAt, expiresAt }: OwnShareRow, origin: string): OwnShare => ({
  token,
  url: new URL(`/share/${token}`, origin).href,
  title,
  messageCount,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
});
