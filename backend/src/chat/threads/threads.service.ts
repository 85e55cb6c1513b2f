import type { Message, Thread, ThreadState, ThreadTrashed, UpdateThreadRequest } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { type Identity, type Owner, userOwner } from '../../identity/identity.js';
import { ProjectLeaves } from '../../projects/project-leaves.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { OwnerSockets } from '../sockets/owner-sockets.js';
import { MessageStore } from '../messages/message-store.js';
import { type OwnThread, ThreadStore } from '../messages/thread-store.js';
import { ConversationReader } from './conversation-reader.js';
import { ThreadBatches } from './thread-batches.js';
import { type ThreadCursor, writeCursor } from './thread-cursor.js';
import { ThreadDeletion } from './thread-deletion.js';
import { type ThreadPage, ThreadList } from './thread-list.js';
import { ThreadTrash } from './thread-trash.js';
import { toThread } from './thread-view.js';
import { ThreadLifetimes } from '../messages/thread-lifetimes.js';

/** More messages than a thread has, in the range of Postgres' integer. */
const LONGEST_PATH = 1_000_000_000;

interface ListRequest {
  query: string;
  state: ThreadState | null;
  /** Lists the threads of this project alone, of any query and state. */
  projectId: number | null;
  limit: number;
  before: ThreadCursor | null;
}

@Injectable()
export class ThreadsService {
  constructor(
    private readonly store: ThreadStore,
    private readonly threadList: ThreadList,
    private readonly messages: MessageStore,
    private readonly conversations: ConversationReader,
    private readonly batches: ThreadBatches,
    private readonly threadTrash: ThreadTrash,
    private readonly deletion: ThreadDeletion,
    private readonly lifetimes: ThreadLifetimes,
    private readonly sockets: OwnerSockets,
    private readonly projects: ProjectsService,
    leaves: ProjectLeaves,
  ) {
    leaves.onLeave((manager, projectId, userIds) => this.store.leaveProject(manager, projectId, userIds));
  }

  /**
   * Pinned threads first, then the others, newest first; of a state, its threads. With a query, those that match it, newest
   * first.
   */
  async list(
    userId: number,
    { query, state, projectId, ...page }: ListRequest,
  ): Promise<{ threads: Thread[]; nextCursor: string | null }> {
    if (projectId !== null) return listed(await this.threadList.ofProject(userId, projectId, page));
    if (state === 'trash') return this.trash(userId, query, page);
    return listed(await this.page(userId, state, query, page));
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

  /**
   * The thread with its shown path in slices of about 1 MB, oldest first.
   * @param limit of the path in messages; of a longer one the last ones
   * @throws AppError `not_found`, `conflict` for a temporary thread
   */
  async conversation(
    owner: Owner,
    id: number,
    limit = LONGEST_PATH,
  ): Promise<{ thread: Thread; slices: AsyncIterable<Message[]> }> {
    const { activeLeafId, isTemporary } = await this.require(owner, id);
    if (isTemporary) throw new AppError('conflict', { reason: 'temporary_chat' });
    const thread = await this.thread(owner, id);
    return { thread, slices: await this.conversations.slices({ id, activeLeafId }, limit) };
  }

  /** Whether a thread began as a copy of a shared conversation. */
  async isFromShare(id: number): Promise<boolean> {
    return (await this.store.sharedUntil(id)) > 0;
  }

  /** @throws AppError `not_found`, also for a leaf that is not in the thread and for a project of others */
  async update(identity: Identity, id: number, change: UpdateThreadRequest): Promise<Thread> {
    const { owner } = identity;
    const { title, activeLeafId, isPinned, isArchived, tools, useInstructions, projectId, temporary } = change;
    if (isPinned && isArchived) throw invalidField('isPinned', 'An archived chat cannot be pinned');
    const { isTemporary } = await this.require(owner, id);
    if (isTemporary && temporary !== false && (isPinned || isArchived))
      throw new AppError('conflict', { reason: 'temporary_chat' });
    const leaf = activeLeafId === undefined ? undefined : await this.messages.leafBelow(id, activeLeafId);
    if (leaf === null) throw new AppError('not_found');
    if (projectId != null) await this.projects.require(identity, projectId, 'read');
    if (isTemporary && temporary === false) await this.store.keep(owner, id, this.lifetimes.ofKept(owner));
    if (title !== undefined) await this.store.rename(owner, id, title);
    if (useInstructions !== undefined) await this.store.setUseInstructions(owner, id, useInstructions);
    if (projectId !== undefined && !(await this.store.setProject(owner, id, projectId)))
      throw new AppError('not_found');
    if (leaf !== undefined) await this.store.setActiveLeaf(owner, id, leaf);
    if (isPinned !== undefined || isArchived !== undefined)
      await this.store.organize(owner, [id], { isPinned, isArchived });
    if (tools !== undefined) await this.store.setTools(owner, id, tools);
    const thread = await this.thread(owner, id);
    const shown = leaf === undefined ? {} : { activeLeafId: leaf };
    this.sockets.threadChanged(owner, { threadId: id, isTemporary: thread.temporary ?? false, ...shown });
    return thread;
  }

  /** Stops the thread's generation and moves the thread to the trash. @throws AppError `not_found`, `thread_busy` */
  async delete(identity: Identity, id: number): Promise<ThreadTrashed> {
    const { skipped, restorableUntil } = await this.batches.run(identity, { action: 'delete', ids: [id] });
    if (restorableUntil === undefined) throw new AppError(skipped[0]?.code ?? 'not_found');
    return { restorableUntil };
  }

  /** Takes a deletion back. @throws AppError `not_found` when the thread is not in the trash, or its time is over */
  async restore(identity: Identity, id: number): Promise<Thread> {
    const { ids } = await this.batches.run(identity, { action: 'restore', ids: [id] });
    if (ids.length === 0) throw new AppError('not_found');
    return this.thread(identity.owner, id);
  }

  /**
   * Stops the generations of threads and deletes the threads for good, those in the trash included. Threads that do not
   * exist are ignored.
   * @throws AppError `thread_busy`
   */
  async deleteMany(owner: Owner, ids: readonly number[]): Promise<void> {
    const { busy } = await this.threadTrash.trash(owner, ids);
    await this.deletion.purge(owner, ids);
    for (const threadId of ids) if (!busy.includes(threadId)) this.sockets.emit(owner, 'thread:deleted', { threadId });
    if (busy.length > 0) throw new AppError('thread_busy');
  }

  /** Makes the pages of an owner show a thread that was written as a whole. */
  announce(owner: Owner, threadId: number): void {
    this.sockets.threadChanged(owner, { threadId, isTemporary: false });
  }

  private page(
    userId: number,
    state: Exclude<ThreadState, 'trash'> | null,
    query: string,
    page: Pick<ListRequest, 'limit' | 'before'>,
  ): Promise<ThreadPage> {
    if (query !== '') return this.threadList.search(userId, query, page, state ?? undefined);
    if (state === 'archived') return this.threadList.archived(userId, page);
    if (state === 'waiting') return this.threadList.waiting(userOwner(userId), page);
    return this.threadList.list(userId, page);
  }

  private async trash(
    userId: number,
    query: string,
    page: Pick<ListRequest, 'limit' | 'before'>,
  ): Promise<{ threads: Thread[]; nextCursor: string | null }> {
    const { rows, nextCursor } = await this.threadList.trash(userOwner(userId), query, page);
    const threads = rows.map((row) => ({ ...toThread(row), userId, restorableUntil: row.expires_at.toISOString() }));
    return { threads, nextCursor: nextCursor && writeCursor(nextCursor) };
  }

  private async require(owner: Owner, id: number): Promise<OwnThread> {
    const thread = await this.store.find(owner, id);
    if (thread === null) throw new AppError('not_found');
    return thread;
  }
}

const listed = ({ rows, nextCursor }: ThreadPage): { threads: Thread[]; nextCursor: string | null } => ({
  threads: rows.map(toThread),
  nextCursor: nextCursor && writeCursor(nextCursor),
});
