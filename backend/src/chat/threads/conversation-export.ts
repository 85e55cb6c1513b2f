import type { Message } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { rowsById } from '../../platform/database/rows-by-id.js';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import type { Owner } from '../../identity/identity.js';
import { MessageStore } from '../messages/message-store.js';
import { toMessage } from '../messages/message-view.js';
import { type ExportedThread, ThreadStore } from '../messages/thread-store.js';

const PAGE = 200;

/** Adds an account's threads, with every version of every message, to the export of the account's data. */
@Injectable()
export class ConversationExport {
  constructor(
    private readonly threadStore: ThreadStore,
    private readonly messageStore: MessageStore,
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
      for await (const row of rowsById((after) => this.messageStore.afterId(id, after, PAGE))) {
        const { siblingIds: _versions, ...message } = toMessage(row);
        yield message;
      }
    }
  }
}
