import type { Message, MessageFeedback } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { rowsById } from '../../platform/database/rows-by-id.js';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import type { Owner } from '../../identity/identity.js';
import { FeedbackStore } from '../messages/feedback-store.js';
import { MessageStore } from '../messages/message-store.js';
import { type MessageRow, toMessage } from '../messages/message-view.js';
import { type ExportedThread, ThreadStore } from '../messages/thread-store.js';

const PAGE = 200;

/** Bytes of text that are in memory at once, beside those of one long message. */
const PAGE_BYTES = 1_000_000;

/** Adds an account's threads, with every version of every message, to the export of the account's data. */
@Injectable()
export class ConversationExport {
  constructor(
    private readonly threadStore: ThreadStore,
    private readonly messageStore: MessageStore,
    private readonly feedback: FeedbackStore,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('threads', (owner) => this.threads(owner));
    hooks.onExport('messages', (owner) => this.messages(owner));
  }

  private threads(owner: Owner): AsyncGenerator<ExportedThread> {
    return rowsById((after) => this.threadStore.afterId(owner, after, PAGE));
  }

  private async *messages(owner: Owner): AsyncGenerator<Omit<Message, 'siblingIds'>> {
    for await (const { id } of this.threads(owner)) {
      for await (const row of rowsById((after) => this.page(id, after))) {
        const { siblingIds: _versions, ...message } = toMessage(row, undefined, row.feedback);
        yield message;
      }
    }
  }

  private async page(threadId: number, after: number): Promise<(MessageRow & { feedback?: MessageFeedback })[]> {
    const rows = await this.messageStore.afterId(threadId, after, PAGE, PAGE_BYTES);
    const feedback = await this.feedback.feedbackOf(rows.map(({ id }) => id));
    return rows.map((row) => ({ ...row, feedback: feedback.get(row.id) }));
  }
}
