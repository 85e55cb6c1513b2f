import type { Message } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Owner } from '../../platform/session/identity.js';
import { AccountLifecycleHooks } from '../../platform/session/account-lifecycle-hooks.js';
import { rowsById } from '../../platform/database/rows-by-id.js';
import { messageColumns, type MessageRow, toMessage } from '../messages/message-view.js';

const PAGE = 200;

interface ExportedThread {
  id: number;
  title: string;
  modelId: string | null;
  activeLeafId: number | null;
  createdAt: Date;
  updatedAt: Date;
}

/** All conversations of a member with every version of every message, for the file that they may take away. */
@Injectable()
export class ConversationExport {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onExport('threads', (owner) => this.threads(owner));
    hooks.onExport('messages', (owner) => this.messages(owner));
  }

  private threads(owner: Owner): AsyncGenerator<ExportedThread> {
    return rowsById((after) =>
      this.dataSource.query<ExportedThread[]>(
        `select id, title, model_id as "modelId", active_leaf_id as "activeLeafId", created_at as "createdAt",
          updated_at as "updatedAt" from thread where owner = $1 and id > $2 order by id limit ${PAGE}`,
        [owner, after],
      ),
    );
  }

  private async *messages(owner: Owner): AsyncGenerator<Omit<Message, 'siblingIds'>> {
    for await (const { id } of this.threads(owner)) {
      const rows = rowsById((after) =>
        this.dataSource.query<MessageRow[]>(
          `select ${messageColumns('m')} from message m where thread_id = $1 and id > $2 order by id limit ${PAGE}`,
          [id, after],
        ),
      );
      for await (const row of rows) {
        const { siblingIds: _versions, ...message } = toMessage(row);
        yield message;
      }
    }
  }
}
