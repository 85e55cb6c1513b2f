import { LIMITS, type Message } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { GenerationStore } from '../generation/store/generation-store.js';
import { FeedbackStore } from '../messages/feedback-store.js';
import { type MessageOutline, MessageStore } from '../messages/message-store.js';
import { type MessageRow, toMessage } from '../messages/message-view.js';

/** Bounds of a slice of a whole conversation, which is in memory at once: messages, and bytes of their texts. */
const SLICE_MESSAGES = 200;
const SLICE_BYTES = 1_000_000;

interface ConversationRef {
  id: number;
  activeLeafId: number | null;
}

/** Reads the shown path of a thread: the messages from its active leaf up to the root. */
@Injectable()
export class ConversationReader {
  constructor(
    private readonly messages: MessageStore,
    private readonly generations: GenerationStore,
    private readonly feedback: FeedbackStore,
  ) {}

  /**
   * One page of the shown path, oldest first, of at most `LIMITS.pageBytes`.
   * @param page.before a message of the path; the page ends before it
   * @returns the cursor of the page before this one, null on the first page
   */
  async page(
    thread: ConversationRef,
    page: { limit: number; before: number | null },
  ): Promise<{ messages: Message[]; nextCursor: number | null }> {
    const end = page.before === null ? thread.activeLeafId : await this.messages.parentOf(thread.id, page.before);
    if (end === null) return { messages: [], nextCursor: null };
    const rows = (await this.messages.page(end, page.limit, LIMITS.pageBytes)).filter(
      (row) => row.thread_id === thread.id,
    );
    const messages = await this.toMessages(thread.id, rows.toReversed());
    const [first] = messages;
    return { messages, nextCursor: first === undefined || first.parentId === null ? null : first.id };
  }

  /**
   * The shown path in slices, oldest first.
   * @param limit of the path; of a longer one the last messages
   */
  async slices(thread: ConversationRef, limit: number): Promise<AsyncGenerator<Message[]>> {
    const { id, activeLeafId } = thread;
    const outlines = activeLeafId === null ? [] : await this.messages.outline(id, activeLeafId, limit);
    return this.read(id, outlines);
  }

  private async *read(threadId: number, outlines: readonly MessageOutline[]): AsyncGenerator<Message[]> {
    for (const ids of slicesOf(outlines)) yield await this.toMessages(threadId, await this.messages.findMany(ids));
  }

  /** @param rows of a path, oldest first */
  private async toMessages(threadId: number, rows: readonly MessageRow[]): Promise<Message[]> {
    const ids = rows.map(({ id }) => id);
    const versions = await this.messages.versionsOf(threadId, ids);
    const feedback = await this.feedback.feedbackOf(rows.filter((row) => !row.is_user_message).map(({ id }) => id));
    const messages = rows.map((row) => toMessage(row, versions.get(row.id), feedback.get(row.id)));
    await this.addCheckpoints(messages);
    return messages;
  }

  /** Adds the saved text and parts of running generations, whose messages are still empty. */
  private async addCheckpoints(messages: Message[]): Promise<void> {
    for (const message of messages) {
      if (message.status !== 'streaming' || message.generationId === null) continue;
      const { text, reasoning, parts } = await this.generations.checkpoint(message.generationId);
      Object.assign(message, { content: text, reasoning: reasoning || null, parts });
    }
  }
}

/** The ids of messages in slices within both bounds. A longer message is a slice of its own. */
function* slicesOf(outlines: readonly MessageOutline[]): Generator<number[]> {
  let slice: number[] = [];
  let size = 0;
  for (const { id, bytes } of outlines) {
    if (slice.length > 0 && (slice.length >= SLICE_MESSAGES || size + bytes > SLICE_BYTES)) {
      yield slice;
      [slice, size] = [[], 0];
    }
    slice.push(id);
    size += bytes;
  }
  if (slice.length > 0) yield slice;
}
