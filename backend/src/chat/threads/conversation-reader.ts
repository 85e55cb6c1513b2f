import type { Message } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { GenerationStore } from '../generation/store/generation-store.js';
import { FeedbackStore } from '../messages/feedback-store.js';
import { MessageStore } from '../messages/message-store.js';
import { toMessage } from '../messages/message-view.js';

/** Page size for reading a whole conversation. */
const WHOLE_PAGE = 500;

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
   * One page of the shown path, oldest first.
   * @param page.before a message of the path; the page ends before it
   * @returns the cursor of the page before this one, null on the first page
   */
  async page(
    thread: ConversationRef,
    page: { limit: number; before: number | null },
  ): Promise<{ messages: Message[]; nextCursor: number | null }> {
    const end = page.before === null ? thread.activeLeafId : await this.messages.parentOf(thread.id, page.before);
    if (end === null) return { messages: [], nextCursor: null };
    const rows = (await this.messages.path(end, page.limit + 1)).filter((row) => row.thread_id === thread.id);
    const shown = rows.slice(0, page.limit).toReversed();
    const versions = await this.messages.versionsByParent(thread.id, shown);
    const feedback = await this.feedback.of(shown.filter((row) => !row.is_user_message).map(({ id }) => id));
    const messages = shown.map((row) => toMessage(row, versions.get(row.parent_id), feedback.get(row.id)));
    await this.addCheckpoints(messages);
    return {
      messages,
      nextCursor: rows.length > page.limit ? (shown[0]?.id ?? null) : null,
    };
  }

  /** All messages of the shown path, oldest first. */
  async whole(thread: ConversationRef): Promise<Message[]> {
    const pages: Message[][] = [];
    for (let before: number | null = null; ;) {
      const page = await this.page(thread, { limit: WHOLE_PAGE, before });
      pages.unshift(page.messages);
      if (page.nextCursor === null) return pages.flat();
      before = page.nextCursor;
    }
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
