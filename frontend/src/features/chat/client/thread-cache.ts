import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { LIST_MAX, type Message, type Quota } from '@tanya/contract';
import { hasCode } from '../../../app/api/api-error';
import { fetchMessages, threadMessagesQuery } from '../../../app/queries/threads.query';
import { quotaQuery } from '../../../app/queries/user.query';
import { graft, mergeNewestMessages, type MessagePath, prependOlder, replaceMessage } from './message-path';

/** Reads and writes the messages of threads and the quota in the query cache. */
export class ThreadCache {
  /** Threads that are being read; `isOutdated` if messages were added since the read began. */
  private readonly refreshing = new Map<number, { isOutdated: boolean }>();

  /** @param onDeleted is called when a loaded thread is found to be deleted, as on another device during a lost connection */
  constructor(
    private readonly client: QueryClient,
    private readonly onDeleted: (threadId: number) => void = () => undefined,
  ) {}

  has(threadId: number): boolean {
    return this.path(threadId) !== undefined;
  }

  message(threadId: number, messageId: number): Message | undefined {
    return this.path(threadId)?.items.find((message) => message.id === messageId);
  }

  /** The last message of a thread; null of a new one, undefined of one that is not loaded. */
  lastMessageId(threadId: number | null): number | null | undefined {
    return threadId === null ? null : this.path(threadId)?.items.at(-1)?.id;
  }

  /** True if no read is needed: the thread is not loaded, or this message is its last one. */
  isAbsentOrEndsWith(threadId: number, messageId: number): boolean {
    const path = this.path(threadId);
    return path === undefined || path.items.at(-1)?.id === messageId;
  }

  /** Calls back after the observers of the cache were notified of all earlier writes. */
  readonly afterNotified = (callback: () => void): void => {
    notifyManager.schedule(callback);
  };

  /** Adds messages to a loaded or new thread. A thread that is not loaded stays so: opening it reads its messages. */
  addMessages(threadId: number, added: Message[], isNewThread: boolean): void {
    this.outdate(threadId);
    const before = this.path(threadId) ?? (isNewThread ? { items: [], nextCursor: null } : undefined);
    if (!before) return void this.refreshAfterFirstRead(threadId);
    this.write(threadId, graft(before, added));
    const { id: addedId, parentId } = added[0]!;
    // The path lacks messages of another tab or device.
    const isApart = parentId !== null && !before.items.some(({ id }) => id === parentId || id === addedId);
    if (isApart) void this.refresh(threadId);
  }

  /** The first read of a thread may have begun before messages that were added since, as after a login. */
  private async refreshAfterFirstRead(threadId: number): Promise<void> {
    const query = threadMessagesQuery(threadId);
    if (this.client.getQueryState(query.queryKey)?.fetchStatus !== 'fetching') return;
    try {
      await this.client.fetchQuery(query);
    } catch {
      return;
    }
    await this.refresh(threadId);
  }

  replaceMessage(message: Message): void {
    const before = this.path(message.threadId);
    if (before) this.write(message.threadId, replaceMessage(before, message));
  }

  setQuota(quota: Quota): void {
    this.client.setQueryData(quotaQuery.queryKey, quota);
  }

  /** Reads the newest messages again; older messages that are loaded are kept. */
  async refresh(threadId: number): Promise<void> {
    if (this.outdate(threadId) || !this.has(threadId)) return;
    const reading = { isOutdated: false };
    this.refreshing.set(threadId, reading);
    try {
      let newest: MessagePath;
      do {
        reading.isOutdated = false;
        newest = await fetchMessages(threadId);
      } while (reading.isOutdated);
      // The path is read after the fetch, because an answer may have finished meanwhile.
      this.write(threadId, mergeNewestMessages(this.path(threadId), newest));
    } catch (error) {
      // The next visit of the thread reads it again and shows the error.
      await this.client.invalidateQueries({ queryKey: threadMessagesQuery(threadId).queryKey, refetchType: 'none' });
      if (hasCode(error, 'not_found')) this.onDeleted(threadId);
    } finally {
      this.refreshing.delete(threadId);
    }
  }

  async loadOlder(threadId: number, limit?: number): Promise<void> {
    const before = this.path(threadId);
    if (!before?.nextCursor) return;
    const older = await fetchMessages(threadId, { before: before.nextCursor, limit });
    const now = this.path(threadId);
    if (now && now.nextCursor === before.nextCursor) this.write(threadId, prependOlder(now, older));
  }

  async loadAll(threadId: number): Promise<void> {
    for (let cursor = this.path(threadId)?.nextCursor; cursor;) {
      await this.loadOlder(threadId, LIST_MAX);
      const next = this.path(threadId)?.nextCursor;
      if (next === cursor) return;
      cursor = next;
    }
  }

  /** Marks a running read as outdated; returns false without one. */
  private outdate(threadId: number): boolean {
    const reading = this.refreshing.get(threadId);
    if (reading) reading.isOutdated = true;
    return reading !== undefined;
  }

  private path(threadId: number): MessagePath | undefined {
    return this.client.getQueryData<MessagePath>(threadMessagesQuery(threadId).queryKey);
  }

  private write(threadId: number, path: MessagePath): void {
    const { queryKey } = threadMessagesQuery(threadId);
    // An earlier read must not overwrite this state.
    if (this.path(threadId)) void this.client.cancelQueries({ queryKey });
    this.client.setQueryData<MessagePath>(queryKey, path);
  }
}
