import type { GenerationError, Message, MessageStatus, TerminalStatus } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { AppError } from '../platform/app-error.js';
import type { Owner } from '../platform/identity.js';
import type { QuotaAccount } from '../quota/quota-ledger.js';
import { QuotaService, type Spender } from '../quota/quota.service.js';
import type { TextChunk } from './generation-run.js';
import { searchText } from './message-content.js';
import { MESSAGE_COLUMNS, type MessageRow, messageColumns, toMessage } from './message-view.js';

/** What the public API answered, kept for its Idempotency-Key. */
export interface StoredAnswer {
  text: string;
  finishReason: 'stop' | 'length';
  promptTokens: number | null;
  completionTokens: number | null;
  /** Epoch seconds. */
  created: number;
}

/** A row of `generation` as the engine needs it. */
export interface GenerationRow {
  id: string;
  owner: Owner;
  thread_id: number | null;
  user_message_id: number | null;
  message_id: number | null;
  client_message_id: string;
  model_id: string;
  status: MessageStatus;
  node_id: string;
  request_hash: string;
  answer: StoredAnswer | null;
  error: GenerationError | null;
}

/** Where the messages of a new generation go. */
export type Placement =
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
  placement: Placement | null;
  /** Runs in the same transaction, with the thread that was found or made. */
  attach?: (manager: EntityManager, threadId: number) => Promise<void>;
}

export interface Admitted {
  account: QuotaAccount;
  /** null for the public API. */
  messages: { threadId: number; userMessage: Message; aiMessage: Message } | null;
}

/** What a generation came to. */
export interface Outcome {
  status: TerminalStatus;
  content: string;
  reasoning: string | null;
  error: GenerationError | null;
  notice: string | null;
  charged: boolean;
  finishReason: 'stop' | 'length';
  promptTokens: number | null;
  completionTokens: number | null;
}

/** A stored end. */
export interface Settled {
  status: TerminalStatus;
  error: GenerationError | null;
  owner: Owner;
  threadId: number | null;
  message: Message | null;
  account: QuotaAccount | null;
}

interface PlacedRow {
  thread_id: number;
  user_message: MessageRow;
  ai_message: MessageRow;
}

const GENERATION_COLUMNS =
  'id, owner, thread_id, user_message_id, message_id, client_message_id, model_id, status, node_id, request_hash, answer, error';

/** Searching looks at this much of a message, in characters. */
const SEARCHED = 50_000;

const search = (parameter: string) => `to_tsvector('simple', left(${parameter}, ${SEARCHED}))`;

/** Both ids are drawn first, so that thread, messages and generation can name one another in one statement. */
const IDS = `ids as (
  select nextval(pg_get_serial_sequence('message', 'id')) as user_message_id,
         nextval(pg_get_serial_sequence('message', 'id')) as ai_message_id)`;

/** $1 generation, $2 owner, $3 user, $4 client message id, $5 hash, $6 model, $7 cost, $8 period, $9 node. */
const insertGeneration = (source: string) => `generation_row as (
  insert into generation (id, owner, user_id, client_message_id, request_hash, thread_id, user_message_id, message_id, model_id, cost, period, node_id)
  select $1::uuid, $2, $3::int, $4, $5, ${source}.thread_id, ${source}.user_message_id, ${source}.ai_message_id, $6, $7::int, $8, $9::uuid
  from ${source})`;

const insertAnswer = (source: string) => `answer as (
  insert into message (id, thread_id, parent_id, user_id, content, is_user_message, status, model_id, generation_id)
  select ai_message_id, thread_id, user_message_id, $3::int, '', false, 'streaming', $6, $1::uuid from ${source}
  returning ${MESSAGE_COLUMNS.join(', ')})`;

const insertQuestion = `question as (
  insert into message (id, thread_id, parent_id, user_id, content, is_user_message, search)
  select user_message_id, thread_id, parent_id, $3::int, $10, true, ${search('$11')} from place
  returning ${MESSAGE_COLUMNS.join(', ')})`;

const PLACED =
  'select place.thread_id, to_jsonb(question) as user_message, to_jsonb(answer) as ai_message from place, question, answer';

const PLACE_IN_NEW_THREAD = `with ${IDS}, thread_row as (
  insert into thread (owner, user_id, title, model_id, active_leaf_id, expires_at)
  select $2, $3::int, $12, $6, ai_message_id, $13::timestamptz from ids returning id
), place as (
  select thread_row.id as thread_id, null::bigint as parent_id, ids.* from thread_row, ids
), ${insertQuestion}, ${insertAnswer('place')}, ${insertGeneration('place')} ${PLACED}`;

/** $12 thread, $13 whether a parent is given, $14 that parent. The thread's row is locked, so its end can't move. */
const PLACE_AS_REPLY = `with ${IDS}, locked as (
  select id, active_leaf_id from thread where id = $12::bigint and owner = $2 for update
), place as (
  select locked.id as thread_id, case when $13::boolean then $14::bigint else locked.active_leaf_id end as parent_id, ids.*
  from locked, ids
), moved as (
  update thread set active_leaf_id = place.ai_message_id, model_id = $6, updated_at = now() from place where thread.id = place.thread_id
), ${insertQuestion}, ${insertAnswer('place')}, ${insertGeneration('place')} ${PLACED}`;

/** $10 thread, $11 user message. */
const PLACE_AS_VERSION = `with locked as (
  select id from thread where id = $10::bigint and owner = $2 for update
), question as (
  select ${messageColumns('message')} from message, locked where message.id = $11::bigint and message.thread_id = locked.id and is_user_message
), place as (
  select locked.id as thread_id, question.id as user_message_id, nextval(pg_get_serial_sequence('message', 'id')) as ai_message_id
  from locked, question
), moved as (
  update thread set active_leaf_id = place.ai_message_id, updated_at = now() from place where thread.id = place.thread_id
), ${insertAnswer('place')}, ${insertGeneration('place')} ${PLACED}`;

const PLACE_NOWHERE = `with place as (
  select null::bigint as thread_id, null::bigint as user_message_id, null::bigint as ai_message_id
), ${insertGeneration('place')} select 1`;

/**
 * The share lock keeps a generation from ending in between, which would leave its text behind. A chunk whose storing was
 * not confirmed comes again under the same seq.
 */
const CHECKPOINT = `
insert into generation_chunk (generation_id, seq, text, reasoning)
select c.generation_id, c.seq, c.text, c.reasoning
from unnest($1::uuid[], $2::int[], $3::text[], $4::text[]) as c (generation_id, seq, text, reasoning)
join generation g on g.id = c.generation_id and g.status = 'streaming'
for share of g
on conflict do nothing`;

/** $1 generation. A guest's account that an account takes over meanwhile shows when the generation's row is read. */
const LOCK_ACCOUNT = `with target as (select owner, period from generation where id = $1)
select a.owner from quota_account a join target on a.owner = target.owner and a.period = target.period for update of a`;

/** An account took over the guest's things between two statements; the whole transaction is tried again. */
class OwnerMoved extends Error {}

const isUniqueViolation = (error: unknown, constraint: string): boolean => {
  const { driverError } = error as { driverError?: { code?: string; constraint?: string } };
  return driverError?.code === '23505' && driverError.constraint === constraint;
};

/** Everything that Postgres knows of generations: their beginning, their growing text and their end. */
@Injectable()
export class GenerationStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly quotas: QuotaService,
  ) {}

  async find(owner: Owner, id: string): Promise<GenerationRow | null> {
    const rows = await this.dataSource.query<GenerationRow[]>(
      `select ${GENERATION_COLUMNS} from generation where id = $1 and owner = $2`,
      [id, owner],
    );
    return rows[0] ?? null;
  }

  /** null when it is gone. */
  async status(id: string): Promise<MessageStatus | null> {
    const rows = await this.dataSource.query<{ status: MessageStatus }[]>(
      'select status from generation where id = $1',
      [id],
    );
    return rows[0]?.status ?? null;
  }

  /** Those that nobody may write any more. */
  async endedOf(ids: string[]): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `select id from unnest($1::uuid[]) as given (id)
       where not exists (select from generation g where g.id = given.id and g.status = 'streaming')`,
      [ids],
    );
    return rows.map(({ id }) => id);
  }

  /** Whether anybody has a generation of this id. */
  async exists(id: string): Promise<boolean> {
    return (await this.dataSource.query<unknown[]>('select 1 from generation where id = $1', [id])).length > 0;
  }

  async findByClientMessage(owner: Owner, clientMessageId: string): Promise<GenerationRow | null> {
    const rows = await this.dataSource.query<GenerationRow[]>(
      `select ${GENERATION_COLUMNS} from generation where owner = $1 and client_message_id = $2`,
      [owner, clientMessageId],
    );
    return rows[0] ?? null;
  }

  /** The generations that still run in a thread, or of an owner. */
  async running(where: { threadId: number } | { owner: Owner }): Promise<GenerationRow[]> {
    const [column, value] = 'threadId' in where ? ['thread_id', where.threadId] : ['owner', where.owner];
    return this.dataSource.query<GenerationRow[]>(
      `select ${GENERATION_COLUMNS} from generation where ${column} = $1 and status = 'streaming'`,
      [value],
    );
  }

  async message(id: number): Promise<Message | null> {
    const rows = await this.dataSource.query<MessageRow[]>(
      `select ${messageColumns('m')} from message m where id = $1`,
      [id],
    );
    return rows[0] === undefined ? null : toMessage(rows[0], await this.siblings(this.dataSource.manager, rows[0]));
  }

  /**
   * Admits one generation in one transaction: quota held, thread, messages and generation stored.
   * @param concurrent how many may run at once for this owner
   * @throws AppError `quota_exceeded`, `thread_busy`, `rate_limited`, `not_found`, `conflict` (the client message id is taken)
   */
  async admit(generation: NewGeneration, concurrent: number): Promise<Admitted> {
    try {
      return await this.dataSource.transaction(async (manager) => {
        const { id, spender, modelId, cost, attach } = generation;
        // First, because it locks the owner's account: what is counted below can't grow meanwhile.
        const account = await this.quotas.hold(manager, spender, { generationId: id, modelId, cost });
        const [{ running, taken }] = await manager.query<[{ running: number; taken: boolean }]>(
          `select (select count(*) from generation where owner = $1 and status = 'streaming') as running,
                  exists (select 1 from generation where owner = $1 and client_message_id = $2) as taken`,
          [spender.owner, generation.clientMessageId],
        );
        if (taken) throw new AppError('conflict');
        if (running >= concurrent) {
          throw new AppError('rate_limited', { message: 'Too many answers are being written at once.', retryAfter: 2 });
        }
        const messages = await this.place(manager, generation, account.period);
        if (messages !== null) await attach?.(manager, messages.threadId);
        return { account, messages };
      });
    } catch (error) {
      if (isUniqueViolation(error, 'generation_one_a_thread')) throw new AppError('thread_busy', { cause: error });
      if (isUniqueViolation(error, 'generation_client_message')) throw new AppError('conflict', { cause: error });
      throw error;
    }
  }

  /** Appends what running generations have written since the last time; one statement for all of them. */
  async checkpoint(chunks: TextChunk[]): Promise<void> {
    await this.dataSource.query(CHECKPOINT, [
      chunks.map((chunk) => chunk.generationId),
      chunks.map((chunk) => chunk.seq),
      chunks.map((chunk) => chunk.text),
      chunks.map((chunk) => chunk.reasoning),
    ]);
  }

  /** What survived of a generation whose node is gone, and the last seq that it holds. */
  async survived(id: string): Promise<{ text: string; reasoning: string; seq: number }> {
    const [row] = await this.dataSource.query<[{ text: string; reasoning: string; seq: number }]>(
      `select coalesce(string_agg(text, '' order by seq), '') as text, coalesce(string_agg(reasoning, '' order by seq), '') as reasoning,
              coalesce(max(seq), 0)::int as seq
       from generation_chunk where generation_id = $1`,
      [id],
    );
    return row;
  }

  /**
   * The one way from `streaming` to a final state: compare-and-set, message, quota and ledger in one transaction.
   * @returns null when somebody else had ended it
   */
  async finish(id: string, outcome: Outcome): Promise<Settled | null> {
    try {
      return await this.tryFinish(id, outcome);
    } catch (error) {
      if (error instanceof OwnerMoved) return this.tryFinish(id, outcome);
      throw error;
    }
  }

  private async tryFinish(id: string, outcome: Outcome): Promise<Settled | null> {
    const { status, error, charged, promptTokens, completionTokens } = outcome;
    return this.dataSource.transaction(async (manager) => {
      // Account before generation, the order of `admit`: the other way round the two would lock each other out.
      const [locked] = await manager.query<{ owner: Owner }[]>(LOCK_ACCOUNT, [id]);
      const [ended] = await manager.query<[(GenerationRow & { cost: number; period: string })[], number]>(
        `update generation set status = $2, error = $3, finished_at = now() where id = $1 and status = 'streaming'
         returning owner, thread_id, message_id, cost, period`,
        [id, status, error === null ? null : JSON.stringify(error)],
      );
      const row = ended[0];
      if (row === undefined) return null;
      if (row.owner !== locked?.owner) throw new OwnerMoved();
      const account = await this.quotas.settle(manager, {
        owner: row.owner,
        generationId: id,
        period: row.period,
        cost: row.cost,
        outcome: charged ? 'charged' : 'released',
        reason: status,
        promptTokens,
        completionTokens,
      });
      const message = row.message_id === null ? null : await this.endMessage(manager, row.message_id, outcome);
      if (row.message_id === null) await this.keepAnswer(manager, id, outcome);
      await manager.query('delete from generation_chunk where generation_id = $1', [id]);
      return { status, error, owner: row.owner, threadId: row.thread_id, message, account };
    });
  }

  /** The end as it is stored; null while it runs or when it is gone. */
  async settled(id: string): Promise<Settled | null> {
    const [row] = await this.dataSource.query<(Settled & GenerationRow & { period: string })[]>(
      `select owner, thread_id, message_id, status, error, period from generation where id = $1 and status <> 'streaming'`,
      [id],
    );
    if (row === undefined) return null;
    const { status, error, owner, thread_id: threadId, message_id: messageId } = row;
    const message = messageId === null ? null : await this.message(messageId);
    return { status, error, owner, threadId, message, account: await this.quotas.accountOf(owner, row.period) };
  }

  /** An answer without a message is kept with its generation, for the Idempotency-Key. */
  private async keepAnswer(manager: EntityManager, id: string, outcome: Outcome): Promise<void> {
    const { content, finishReason, promptTokens, completionTokens } = outcome;
    await manager.query(
      `update generation set answer = $2::jsonb || jsonb_build_object('created', floor(extract(epoch from created_at))) where id = $1`,
      [id, JSON.stringify({ text: content, finishReason, promptTokens, completionTokens })],
    );
  }

  /** Lets the id of a request that got no whole answer stand for a new try. @returns whether it did */
  async forgetFailed(id: string): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown, number]>(
      `update generation set client_message_id = 'failed:' || id, answer = null
       where id = $1 and status in ('error', 'interrupted', 'stopped')`,
      [id],
    );
    return count > 0;
  }

  /** Forgets answers without a thread, and the ids they went by, once their day is over. */
  async forgetAnswers(hours: number): Promise<void> {
    await this.dataSource.query(
      `update generation set answer = null, client_message_id = 'expired:' || id
       where answer is not null and finished_at < now() - $1 * interval '1 hour'`,
      [hours],
    );
  }

  private async endMessage(manager: EntityManager, messageId: number, outcome: Outcome): Promise<Message | null> {
    const { status, content, reasoning, error, notice } = outcome;
    const [rows] = await manager.query<[MessageRow[], number]>(
      `update message m set content = $2, reasoning = $3, status = $4, error = $5, notice = $6, search = ${search('$7')}
       where id = $1 returning ${messageColumns('m')}`,
      [
        messageId,
        content,
        reasoning,
        status,
        error === null ? null : JSON.stringify(error),
        notice,
        searchText(content),
      ],
    );
    const row = rows[0];
    if (row === undefined) return null;
    await manager.query('update thread set updated_at = now() where id = $1', [row.thread_id]);
    return toMessage(row, await this.siblings(manager, row));
  }

  private async place(
    manager: EntityManager,
    generation: NewGeneration,
    period: string,
  ): Promise<Admitted['messages']> {
    const { id, spender, clientMessageId, requestHash, modelId, cost, nodeId, placement } = generation;
    const common = [id, spender.owner, spender.userId, clientMessageId, requestHash, modelId, cost, period, nodeId];
    if (placement === null) {
      await manager.query(PLACE_NOWHERE, common);
      return null;
    }
    const rows = await this.placed(manager, placement, common);
    const row = rows[0];
    if (row === undefined) throw new AppError('not_found');
    const versioned =
      placement.kind === 'regenerate' || (placement.kind === 'reply' && placement.parentId !== undefined);
    const siblings = async (message: MessageRow) => (versioned ? this.siblings(manager, message) : [message.id]);
    return {
      threadId: row.thread_id,
      userMessage: toMessage(row.user_message, await siblings(row.user_message)),
      aiMessage: toMessage(row.ai_message, await siblings(row.ai_message)),
    };
  }

  private placed(manager: EntityManager, placement: Placement, common: unknown[]): Promise<PlacedRow[]> {
    switch (placement.kind) {
      case 'new-thread': {
        const { content, title, expiresAt } = placement;
        return manager.query<PlacedRow[]>(PLACE_IN_NEW_THREAD, [
          ...common,
          content,
          searchText(content),
          title,
          expiresAt,
        ]);
      }
      case 'reply': {
        const { content, threadId, parentId } = placement;
        const given = parentId !== undefined;
        return manager.query<PlacedRow[]>(PLACE_AS_REPLY, [
          ...common,
          content,
          searchText(content),
          threadId,
          given,
          parentId ?? null,
        ]);
      }
      case 'regenerate':
        return manager.query<PlacedRow[]>(PLACE_AS_VERSION, [...common, placement.threadId, placement.userMessageId]);
    }
  }

  private async siblings(manager: EntityManager, { thread_id, parent_id }: MessageRow): Promise<number[]> {
    const rows = await manager.query<{ id: number }[]>(
      parent_id === null
        ? 'select id from message where thread_id = $1 and parent_id is null order by id'
        : 'select id from message where parent_id = $1 order by id',
      [parent_id ?? thread_id],
    );
    return rows.map((row) => row.id);
  }
}
