import type { Message, Thread, UpdateThreadRequest } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { Owner } from '../../identity/identity.js';
import { ChatEvents } from '../generation/ports/chat-events.js';
import { MessageStore } from '../messages/message-store.js';
import { type OwnThread, ThreadStore } from '../messages/thread-store.js';
import { ConversationReader } from './conversation-reader.js';
import { type ThreadCursor, writeCursor } from './thread-cursor.js';
import { ThreadDeletion } from './thread-deletion.js';
import { ThreadList } from './thread-list.js';
import { toThread } from './thread-view.js';

/** The threads of one owner: list, search, read, rename, switch versions, delete. */
@Injectable()
export class ThreadsService {
  constructor(
    private readonly store: ThreadStore,
    private readonly threadList: ThreadList,
    private readonly messages: MessageStore,
    private readonly conversations: ConversationReader,
    private readonly deletion: ThreadDeletion,
    private readonly events: ChatEvents,
  ) {}

  /** Newest first. With a query, only the threads that match it. */
  async list(
    userId: number,
    page: { query: string; limit: number; before: ThreadCursor | null },
  ): Promise<{ threads: Thread[]; nextCursor: string | null }> {
    const { rows, nextCursor } =
      page.query === ''
        ? await this.threadList.list(userId, page)
        : await this.threadList.search(userId, page.query, page);
    return { threads: rows.map(toThread), nextCursor: nextCursor && writeCursor(nextCursor) };
  }

  /** @throws AppError `not_found` */
  async thread(owner: Owner, id: number): Promise<Thread> {
    const thread = await this.threadList.find(owner, id);
    if (thread === null) throw new AppError('not_found');
    return toThread(thread);
  }

  /** One page of the shown path, oldest first. @throws AppError `not_found` */
  async conversationPage(
    owner: Owner,
    id: number,
    page: { limit: number; before: number | null },
  ): Promise<{ messages: Message[]; nextCursor: number | null }> {
    return this.conversations.page(await this.require(owner, id), page);
  }

  /** All messages of the shown path, oldest first. @throws AppError `not_found` */
  async conversation(owner: Owner, id: number): Promise<{ title: string; messages: Message[] }> {
    const thread = await this.require(owner, id);
    return { title: thread.title, messages: await this.conversations.whole(thread) };
  }

  /** @throws AppError `not_found`, also for a leaf that is not in the thread */
  async update(owner: Owner, id: number, { title, activeLeafId }: UpdateThreadRequest): Promise<Thread> {
    await this.require(owner, id);
    const leaf = activeLeafId === undefined ? undefined : await this.messages.leafBelow(id, activeLeafId);
    if (leaf === null) throw new AppError('not_found');
    if (title !== undefined) await this.store.rename(owner, id, title);
    if (leaf !== undefined) await this.store.setActiveLeaf(owner, id, leaf);
    const thread = await this.thread(owner, id);
    this.events.emit(owner, 'thread:changed', { threadId: id, ...(leaf !== undefined && { activeLeafId: leaf }) });
    return thread;
  }

  /** Stops the thread's generation and deletes the thread. @throws AppError `not_found`, `thread_busy` */
  async delete(owner: Owner, id: number): Promise<void> {
    await this.require(owner, id);
    await this.deletion.delete(owner, id);
    this.events.emit(owner, 'thread:deleted', { threadId: id });
  }

  private async require(owner: Owner, id: number): Promise<OwnThread> {
    const thread = await this.store.find(owner, id);
    if (thread === null) throw new AppError('not_found');
    return thread;
  }
}
