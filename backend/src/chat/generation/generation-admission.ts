import type { Message } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { AppError } from '../../platform/errors/app-error.js';
import { isUniqueViolation } from '../../platform/database/unique-violation.js';
import type { QuotaAccount } from '../../quota/quota-ledger.js';
import { QuotaService, type Spender } from '../../quota/quota.service.js';
import { searchText } from '../messages/message-content.js';
import { searchVector } from '../messages/message-search.js';
import { MESSAGE_COLUMNS, type MessageRow, messageColumns, toMessage } from '../messages/message-view.js';
import { siblingIds } from '../messages/sibling-ids.js';

/** Where the messages of a new generation go. */
export type MessageTarget =
  | { kind: 'new-thread'; title: string; content: string; expiresAt: Date | null }
  /** `parentId` undefined: after the shown end of the thread. */
  | { kind: 'reply'; threadId: number; content: string; parentId?: number | null }
  /** Another answer to a user message that is there. */
  | { kind: 'regenerate'; threadId: number; userMessageId: number };

export interface NewGeneration {
  id: string;
  spender: Spender;
  clientMessageId: string;
  requestHash: string;
  modelId: string;
  cost: number;
  nodeId: string;
  /** null for the public API. */
  target: MessageTarget | null;
  /** Runs in the same transaction, with the thread that was found or made. */
  attach?: (manager: EntityManager, threadId: number) => Promise<void>;
}

export interface Admitted {
  account: QuotaAccount;
  /** null for the public API. */
  messages: { threadId: number; userMessage: Message; aiMessage: Message } | null;
}

/** All null but `running` when nothing was placed, or nothing was to be. */
interface PlacedRow {
  /** Answers of the owner that were being written already. */
  running: number;
  thread_id: number | null;
  user_message: MessageRow;
  ai_message: MessageRow;
}

/**
 * What every target begins with: it places nothing while as many answers as $10 are being written.
 * $1 generation, $2 owner, $3 user, $4 client message id, $5 hash, $6 model, $7 cost, $8 period, $9 node.
 */
const RUNNING = `running as (
  select count(*)::int as count from generation where owner = $2 and status = 'streaming'
), room as (
  select 1 from running where count < $10::int)`;

/** Both ids are drawn first, so that thread, messages and generation can name one another in one statement. */
const IDS = `ids as (
  select nextval(pg_get_serial_sequence('message', 'id')) as user_message_id,
         nextval(pg_get_serial_sequence('message', 'id')) as ai_message_id
  from room)`;

const INSERT_GENERATION = `generation_row as (
  insert into generation (id, owner, user_id, client_message_id, request_hash, thread_id, user_message_id, message_id, model_id, cost, period, node_id)
  select $1::uuid, $2, $3::int, $4, $5, place.thread_id, place.user_message_id, place.ai_message_id, $6, $7::int, $8, $9::uuid
  from place)`;

const INSERT_ANSWER = `answer as (
  insert into message (id, thread_id, parent_id, user_id, content, is_user_message, status, model_id, generation_id)
  select ai_message_id, thread_id, user_message_id, $3::int, '', false, 'streaming', $6, $1::uuid from place
  returning ${MESSAGE_COLUMNS.join(', ')})`;

/** $11 content, $12 its words. */
const INSERT_QUESTION = `question as (
  insert into message (id, thread_id, parent_id, user_id, content, is_user_message, search)
  select user_message_id, thread_id, parent_id, $3::int, $11, true, ${searchVector('$12')} from place
  returning ${MESSAGE_COLUMNS.join(', ')})`;

const PLACED = `select running.count as running, placed.* from running left join (
  select place.thread_id, to_jsonb(question) as user_message, to_jsonb(answer) as ai_message from place, question, answer
) placed on true`;

/** $13 title, $14 when a guest's thread goes. */
const PLACE_IN_NEW_THREAD = `with ${RUNNING}, ${IDS}, thread_row as (
  insert into thread (owner, user_id, title, model_id, active_leaf_id, expires_at)
  select $2, $3::int, $13, $6, ai_message_id, $14::timestamptz from ids returning id
), place as (
  select thread_row.id as thread_id, null::bigint as parent_id, ids.* from thread_row, ids
), ${INSERT_QUESTION}, ${INSERT_ANSWER}, ${INSERT_GENERATION} ${PLACED}`;

/** $13 thread, $14 whether a parent is given, $15 that parent. The thread's row is locked, so its end can't move. */
const PLACE_AS_REPLY = `with ${RUNNING}, ${IDS}, locked as (
  select id, active_leaf_id from thread where id = $13::bigint and owner = $2 for update
), place as (
  select locked.id as thread_id, case when $14::boolean then $15::bigint else locked.active_leaf_id end as parent_id, ids.*
  from locked, ids
), moved as (
  update thread set active_leaf_id = place.ai_message_id, model_id = $6, updated_at = now() from place where thread.id = place.thread_id
), ${INSERT_QUESTION}, ${INSERT_ANSWER}, ${INSERT_GENERATION} ${PLACED}`;

/** $11 thread, $12 user message. */
const PLACE_AS_VERSION = `with ${RUNNING}, locked as (
  select id from thread where id = $11::bigint and owner = $2 for update
), question as (
  select ${messageColumns('message')} from message, locked where message.id = $12::bigint and message.thread_id = locked.id and is_user_message
), place as (
  select locked.id as thread_id, question.id as user_message_id, nextval(pg_get_serial_sequence('message', 'id')) as ai_message_id
  from locked, question, room
), moved as (
  update thread set active_leaf_id = place.ai_message_id, updated_at = now() from place where thread.id = place.thread_id
), ${INSERT_ANSWER}, ${INSERT_GENERATION} ${PLACED}`;

const PLACE_NOWHERE = `with ${RUNNING}, place as (
  select null::bigint as thread_id, null::bigint as user_message_id, null::bigint as ai_message_id from room
), ${INSERT_GENERATION} select running.count as running from running`;

/** How a generation comes to be: its quota held, its messages placed, in one transaction. */
@Injectable()
export class GenerationAdmission {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly quotas: QuotaService,
  ) {}

  /**
   * @param concurrent how many may run at once for this owner
   * @throws AppError `quota_exceeded`, `thread_busy`, `rate_limited`, `not_found`, `conflict` (the client message id is taken)
   */
  async admit(generation: NewGeneration, concurrent: number): Promise<Admitted> {
    try {
      return await this.dataSource.transaction(async (manager) => {
        const { id, spender, modelId, cost, attach } = generation;
        // First, because it locks the owner's account: what is counted below can't grow meanwhile.
        const account = await this.quotas.hold(manager, spender, { generationId: id, modelId, cost });
        const messages = await this.place(manager, generation, account.period, concurrent);
        if (messages !== null) await attach?.(manager, messages.threadId);
        return { account, messages };
      });
    } catch (error) {
      if (isUniqueViolation(error, 'generation_one_a_thread')) throw new AppError('thread_busy', { cause: error });
      if (isUniqueViolation(error, 'generation_client_message')) throw new AppError('conflict', { cause: error });
      throw error;
    }
  }

  private async place(
    manager: EntityManager,
    generation: NewGeneration,
    period: string,
    concurrent: number,
  ): Promise<Admitted['messages']> {
    const { id, spender, clientMessageId, requestHash, modelId, cost, nodeId, target } = generation;
    const { owner, userId } = spender;
    const [statement, own] = statementOf(target);
    const [row] = await manager.query<[PlacedRow]>(statement, [
      ...[id, owner, userId, clientMessageId, requestHash, modelId, cost, period, nodeId, concurrent],
      ...own,
    ]);
    if (row.running >= concurrent) {
      throw new AppError('rate_limited', { message: 'Too many answers are being written at once.', retryAfter: 2 });
    }
    if (target === null) return null;
    if (row.thread_id === null) throw new AppError('not_found');
    const versioned = target.kind === 'regenerate' || (target.kind === 'reply' && target.parentId !== undefined);
    const siblings = async (message: MessageRow) => (versioned ? siblingIds(manager, message) : [message.id]);
    return {
      threadId: row.thread_id,
      userMessage: toMessage(row.user_message, await siblings(row.user_message)),
      aiMessage: toMessage(row.ai_message, await siblings(row.ai_message)),
    };
  }
}

/** The statement of a target, and what it needs beyond $10. */
function statementOf(target: MessageTarget | null): [string, unknown[]] {
  switch (target?.kind) {
    case undefined:
      return [PLACE_NOWHERE, []];
    case 'new-thread': {
      const { content, title, expiresAt } = target;
      return [PLACE_IN_NEW_THREAD, [content, searchText(content), title, expiresAt]];
    }
    case 'reply': {
      const { content, threadId, parentId } = target;
      return [PLACE_AS_REPLY, [content, searchText(content), threadId, parentId !== undefined, parentId ?? null]];
    }
    case 'regenerate':
      return [PLACE_AS_VERSION, [target.threadId, target.userMessageId]];
  }
}
