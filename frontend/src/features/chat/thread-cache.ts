import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { LIMITS, type Message, type Quota } from '@tanya/contract';
import { fetchMessages, threadMessagesQuery } from '../../app/queries/threads.query';
import { quotaQuery } from '../../app/queries/user.query';
import { graft, mergeNewest, type MessagePath, prependOlder, replaceMessage } from './message-path';

/** The chat's way into the query cache: threads' messages and the quota. */
export class ThreadCache {
  private readonly refreshing = new Set<number>();

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
    if (this.refreshing.has(threadId) || !this.has(threadId)) return;
    this.refreshing.add(threadId);
    try {
      const newest = await fetchMessages(threadId);
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
