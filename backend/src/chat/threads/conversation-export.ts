import type { Message, MessageFeedback } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { rowsById } from '../../platform/database/rows-by-id.js';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import type { Owner } from '../../identity/identity.js';
import { FeedbackStore } from '../messages/feedback-store.js';
import { MessageStore } from '../messages/message-store.js';
import { type MessageRow, toMessage } from '../messages/message-view.js';
import { type ExportedThread, ThreadStore } from '../messages/thread-store.js';
import { FileExport } from '../../files/file-export.js';
import { isTemporary } from '../messages/message-sql.js';

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
    files: FileExport,
    hooks: AccountLifecycleHooks,
  ) {
    files.leaveOutFilesOf(isTemporary);
    hooks.onExport('threads', (owner) => this.threadsOf(owner));
    hooks.onExport('messages', (owner) => this.messages(owner));
  }

  /** The threads of an owner in the order of their ids, those of the trash and temporary ones left out. */
  threadsOf(owner: Owner): AsyncGenerator<ExportedThread> {
    return rowsById((after) => this.threadStore.afterId(owner, after, PAGE));
  }

  private async *messages(owner: Owner): AsyncGenerator<Omit<Message, 'siblingIds'>> {
    for await (const { id } of this.threadsOf(owner)) yield* this.messagesOf(id);
  }

  /** Every version of every message of a thread, in the order of their ids. */
  async *messagesOf(threadId: number): AsyncGenerator<Omit<Message, 'siblingIds'>> {
    for await (const row of rowsById((after) => this.page(threadId, after))) {
      const { siblingIds: _versions, ...message } = toMessage(row, undefined, row.feedback);
      yield message;
    }
  }

  countOf(owner: Owner): Promise<number> {
    return this.threadStore.countOf(owner);
  }

  private async page(threadId: number, after: number): Promise<(MessageRow & { feedback?: MessageFeedback })[]> {
    const rows = await this.messageStore.afterId(threadId, after, PAGE, PAGE_BYTES);
    const feedback = await this.feedback.feedbackOf(rows.map(({ id }) => id));
    return rows.map((row) => ({ ...row, feedback: feedback.get(row.id) }));
  }
}
