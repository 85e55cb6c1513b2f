import type { Message, Thread, UpdateThreadRequest } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FilesService } from '../../files/files.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { Owner } from '../../platform/session/identity.js';
import { ownerUserId } from '../../platform/session/identity.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { AccountLifecycleHooks } from '../../platform/session/account-lifecycle-hooks.js';
import { QuotaService } from '../../quota/quota.service.js';
import { ChatEvents } from '../generation/chat-events.js';
import { ConversationService } from '../generation/conversation.service.js';
import { GenerationService } from '../generation/generation.service.js';
import { toThread } from '../messages/message-view.js';
import { type ThreadCursor, writeCursor } from './thread-cursor.js';
import { ThreadStore } from '../messages/thread-store.js';

/** Guests' threads whose day is over are looked for this often, ms. */
const EXPIRY_SWEEP = 10 * 60 * 1000;
const EXPIRY_BATCH = 200;

/** A send may slip in between the end of what runs and the removal; whoever sends that often has to stop first. */
const DELETE_TRIES = 5;

/** $1 guest, $2 account, $3 user. An id that both have used stays with what the account sent by it. */
const ADOPT_GENERATIONS = `
update generation g set owner = $2, user_id = $3::int, client_message_id = case
  when exists (select 1 from generation o where o.owner = $2 and o.client_message_id = g.client_message_id)
  then 'adopted:' || g.id else g.client_message_id end
where g.owner = $1`;

/** Threads of one owner: list, search, rename, move between versions, delete. */
@Injectable()
export class ThreadsService implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly store: ThreadStore,
    private readonly conversations: ConversationService,
    private readonly generations: GenerationService,
    private readonly quotas: QuotaService,
    private readonly files: FilesService,
    private readonly events: ChatEvents,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onDelete((owner) => this.generations.stopAll({ owner }));
    hooks.onAdopt((manager, from, to) => this.adopt(manager, from, to));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.deleteExpired(), EXPIRY_SWEEP);
  }

  onModuleDestroy(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  /** The newest first; with words those alone that hold them all. */
  async list(
    userId: number,
    page: { words: string; limit: number; before: ThreadCursor | null },
  ): Promise<{ threads: Thread[]; nextCursor: string | null }> {
    const { rows, nextCursor } =
      page.words === '' ? await this.store.list(userId, page) : await this.store.search(userId, page.words, page);
    return { threads: rows.map(toThread), nextCursor: nextCursor && writeCursor(nextCursor) };
  }

  /** @throws AppError `not_found` */
  async messages(
    owner: Owner,
    id: number,
    page: { limit: number; before: number | null },
  ): Promise<{ messages: Message[]; nextCursor: number | null }> {
    return this.conversations.page(await this.own(owner, id), page);
  }

  /** Every message of the shown path, oldest first. @throws AppError `not_found` */
  async conversation(owner: Owner, id: number): Promise<{ title: string; messages: Message[] }> {
    const thread = await this.own(owner, id);
    const pages: Message[][] = [];
    for (let before: number | null = null; ;) {
      const page = await this.conversations.page(thread, { limit: 500, before });
      pages.unshift(page.messages);
      if (page.nextCursor === null) return { title: thread.title, messages: pages.flat() };
      before = page.nextCursor;
    }
  }

  /** @throws AppError `not_found` */
  async update(owner: Owner, id: number, { title, activeLeafId }: UpdateThreadRequest): Promise<Thread> {
    await this.own(owner, id);
    const leaf = activeLeafId === undefined ? undefined : await this.conversations.leafBelow(id, activeLeafId);
    if (leaf === null) throw new AppError('not_found');
    if (title !== undefined) await this.store.rename(owner, id, title);
    if (leaf !== undefined) await this.store.setActiveLeaf(owner, id, leaf);
    const thread = await this.store.one(owner, id);
    if (thread === null) throw new AppError('not_found');
    this.events.emit(owner, 'thread:changed', { threadId: id, ...(leaf !== undefined && { activeLeafId: leaf }) });
    return toThread(thread);
  }

  /** Ends what runs in it, then removes it with all that hangs on it. @throws AppError `not_found` */
  async delete(owner: Owner, id: number): Promise<void> {
    await this.own(owner, id);
    await this.remove(owner, id);
    this.events.emit(owner, 'thread:deleted', { threadId: id });
  }

  private async remove(owner: Owner, id: number): Promise<void> {
    for (let tries = 0; tries < DELETE_TRIES; tries += 1) {
      await this.generations.stopAll({ threadId: id });
      const result = await this.store.delete(owner, id);
      if (result === 'absent') throw new AppError('not_found');
      if (result === 'deleted') return this.files.deleteOfThread(id);
    }
    throw new AppError('thread_busy');
  }

  private async own(owner: Owner, id: number) {
    const thread = await this.store.find(owner, id);
    if (thread === null) throw new AppError('not_found');
    return thread;
  }

  /** Accounts are locked first, then running generations, as an end does: it then reads the new owner. */
  private async adopt(manager: EntityManager, from: Owner, to: Owner): Promise<void> {
    const userId = ownerUserId(to);
    await manager.query('select 1 from quota_account where owner in ($1, $2) order by owner for update', [from, to]);
    await manager.query(`select 1 from generation where owner = $1 and status = 'streaming' for update`, [from]);
    await manager.query(ADOPT_GENERATIONS, [from, to, userId]);
    await manager.query('update message set user_id = $2 where thread_id in (select id from thread where owner = $1)', [
      from,
      userId,
    ]);
    await manager.query('update thread set owner = $2, user_id = $3, expires_at = null where owner = $1', [
      from,
      to,
      userId,
    ]);
    await this.quotas.adopt(manager, from, to);
  }

  private async deleteExpired(): Promise<void> {
    try {
      for (const { id, owner } of await this.store.expired(EXPIRY_BATCH)) {
        await this.remove(owner, id);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'old threads of guests could not be deleted yet');
    }
  }
}
