import type { GenerationError, Message, MessageStatus } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Owner } from '../../platform/session/identity.js';
import { QuotaService } from '../../quota/quota.service.js';
import type { FinalizedGeneration } from './generation-finalizer.js';
import type { TextChunk } from './generation-run.js';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-view.js';
import { siblingIds } from '../messages/sibling-ids.js';

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

const GENERATION_COLUMNS =
  'id, owner, thread_id, user_message_id, message_id, client_message_id, model_id, status, node_id, request_hash, answer, error';

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

/** What Postgres knows of generations, and their growing text; see GenerationAdmission and GenerationFinalizer for the two ends of it. */
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
    return rows[0] === undefined ? null : toMessage(rows[0], await siblingIds(this.dataSource.manager, rows[0]));
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

  /** The end as it is stored; null while it runs or when it is gone. */
  async settled(id: string): Promise<FinalizedGeneration | null> {
    const [row] = await this.dataSource.query<(FinalizedGeneration & GenerationRow & { period: string })[]>(
      `select owner, thread_id, message_id, status, error, period from generation where id = $1 and status <> 'streaming'`,
      [id],
    );
    if (row === undefined) return null;
    const { status, error, owner, thread_id: threadId, message_id: messageId } = row;
    const message = messageId === null ? null : await this.message(messageId);
    const account = await this.quotas.accountOf(owner, row.period);
    return { status, error, owner, threadId, message, account, plan: await this.quotas.planOf(owner) };
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
}
