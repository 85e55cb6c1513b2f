import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { LIMITS, type Message, type Quota } from '@tanya/contract';
import { fetchMessages, threadMessagesQuery } from '../../../app/queries/threads.query';
import { quotaQuery } from '../../../app/queries/user.query';
import { graft, mergeNewest, type MessagePath, prependOlder, replaceMessage } from './message-path';

/** The chat's way into the query cache: threads' messages and the quota. */
export class ThreadCache {
  /** Threads that are being read, and whether there is something already that this read may not know of. */
  private readonly refreshing = new Map<number, { isOutdated: boolean }>();

  constructor(private readonly client: QueryClient) {}

  has(threadId: number): boolean {
    return this.path(threadId) !== undefined;
  }

  message(threadId: number, messageId: number): Message | undefined {
    return this.path(threadId)?.items.find((message) => message.id === messageId);
  }

  /** Whether there is nothing to read: the thread is not shown, or up to this message already. */
  endsWith(threadId: number, messageId: number): boolean {
    const path = this.path(threadId);
    return path === undefined || path.items.at(-1)?.id === messageId;
  }

  /** Calls back once the screen has been told of everything written so far. */
  readonly afterNotified = (callback: () => void): void => {
    notifyManager.schedule(callback);
  };

  /** A thread whose messages were never read stays so: opening it reads all of it. */
  addMessages(threadId: number, added: Message[], isNewThread: boolean): void {
    this.outdate(threadId);
    const before = this.path(threadId) ?? (isNewThread ? { items: [], nextCursor: null } : undefined);
    if (before) this.write(threadId, graft(before, added));
  }

  replaceMessage(message: Message): void {
    const before = this.path(message.threadId);
    if (before) this.write(message.threadId, replaceMessage(before, message));
  }

  setQuota(quota: Quota): void {
    this.client.setQueryData(quotaQuery.queryKey, quota);
  }

  /** Reads the newest messages again and keeps the older ones that are loaded. */
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
      // Not before the read: an answer may have ended here meanwhile.
      this.write(threadId, mergeNewest(this.path(threadId), newest));
    } catch {
      // Stale and marked so: the next visit of the thread reads it again and shows what is wrong.
      await this.client.invalidateQueries({ queryKey: threadMessagesQuery(threadId).queryKey, refetchType: 'none' });
    } finally {
      this.refreshing.delete(threadId);
    }
  }

  /** Loads the page before the first loaded message. */
  async loadOlder(threadId: number, limit?: number): Promise<void> {
    const before = this.path(threadId);
    if (!before?.nextCursor) return;
    const older = await fetchMessages(threadId, { before: before.nextCursor, limit });
    const now = this.path(threadId);
    if (now && now.nextCursor === before.nextCursor) this.write(threadId, prependOlder(now, older));
  }

  /** Loads all that is older than what is loaded. */
  async loadAll(threadId: number): Promise<void> {
    for (let cursor = this.path(threadId)?.nextCursor; cursor;) {
      await this.loadOlder(threadId, LIMITS.listMax);
      const next = this.path(threadId)?.nextCursor;
      if (next === cursor) return;
      cursor = next;
    }
  }

  /** The read that is on its way, if one is, began too early. */
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
    // A read that began earlier would otherwise put the older state over this one.
    if (this.path(threadId)) void this.client.cancelQueries({ queryKey });
    this.client.setQueryData<MessagePath>(queryKey, path);
  }
}
