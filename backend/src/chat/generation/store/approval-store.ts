import type { MessagePart, MessageStatus, ReasoningEffort, ToolPart } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Statements } from '../../../platform/database/statements.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { Owner } from '../../../identity/identity.js';
import { QuotaService } from '../../../quota/quota.service.js';
import {
  changePart,
  CONTINUE_MESSAGE,
  PARTS_OF_MESSAGE,
  suspendMessage,
  touchThread,
} from '../../messages/message-sql.js';
import { toStoredContent } from '../../messages/message-content.js';
import { type StoredPart, toStoredPart } from '../../messages/stored-parts.js';
import { runningGenerations } from './generation-sql.js';
import type { GenerationRow } from './generation-store.js';
import { maxRunningOf, tooManyRunning } from './running-limit.js';
import { decidedPart, type Suspension } from './suspension.js';

/**
 * The compare-and-set `streaming → waiting` with the calls that wait, the message as it is now and the state of the run.
 * $1 generation, $2 node, $3 state, $4 last sequence number, $5 call ids, $6 tools, $7 arguments, $8 content, $9 reasoning,
 * $10 parts.
 */
const SUSPEND = `with suspended as (
  update generation set status = 'waiting', waiting_since = now(), suspension = $3, last_seq = $4::int
  where id = $1::uuid and status = 'streaming' and node_id = $2::uuid returning id, message_id
), calls as (
  insert into tool_call (generation_id, call_id, tool, arguments, state)
  select suspended.id, c.call_id, c.tool, c.arguments::jsonb, 'waiting'
  from suspended, unnest($5::text[], $6::text[], $7::text[]) as c (call_id, tool, arguments)
), message_row as (
  ${suspendMessage({ content: '$8', reasoning: '$9', parts: '$10' })}
), touched as (
  ${touchThread('message_row')}
)
select id from suspended`;

const WAITING_COLUMNS = `id, owner, user_id, thread_id, user_message_id, message_id, client_message_id, model_id, status, node_id,
  request_hash, answer, error, period, reasoning_effort, suspension, last_seq`;

const DECIDE = `update tool_call set decision = $3, finished_at = case when $3 then null else now() end,
  state = case when $3 then state else 'denied' end
where generation_id = $1::uuid and call_id = $2 and decision is null and state = 'waiting'`;

/** Stores the part of a decided call with its event's number. $1 generation, $2 message, $3 sequence number, $4 index, $5 part. */
const SHOW_DECISION = `with numbered as (
  update generation set last_seq = $3::int where id = $1::uuid
), chunk as (
  insert into generation_chunk (generation_id, seq, text, reasoning, parts)
  values ($1::uuid, $3::int, '', '', jsonb_build_array(jsonb_build_array($4::int, $5::jsonb)))
) ${changePart({ messageId: '$2', index: '$4', part: '$5' })}`;

const UNDECIDED = `select 1 from tool_call where generation_id = $1::uuid and state = 'waiting' and decision is null limit 1`;

/** The generation goes to the node that received the last decision. */
const CONTINUE = `with continued as (
  update generation set status = 'streaming', node_id = $2::uuid, waiting_since = null
  where id = $1::uuid and status = 'waiting' returning message_id
) ${CONTINUE_MESSAGE}`;

/** A generation that waits for approvals. */
export interface WaitingRow extends GenerationRow {
  suspension: string | null;
  last_seq: number | null;
  user_id: number | null;
  reasoning_effort: ReasoningEffort | null;
}

/** A decision that was stored, or had been before. */
export interface StoredDecision {
  status: MessageStatus;
  row: WaitingRow;
  /** The part of the call and its event's number; null when the decision had been stored before. */
  shown: { seq: number; index: number; part: ToolPart } | null;
}

/** Generations in `waiting`, and the decisions about their calls. */
@Injectable()
export class ApprovalStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly statements: Statements,
    private readonly quotas: QuotaService,
  ) {}

  /**
   * Stores a run that waits, with its calls.
   * @param state what the run needs to continue, as JSON; kept as text, because a provider's details may hold NUL
   * @returns false when the generation has ended, or waits already
   */
  async suspend(
    run: { id: string; nodeId: string; seq: number; text: string; reasoning: string; parts: readonly MessagePart[] },
    calls: readonly ToolPart[],
    state: string,
  ): Promise<boolean> {
    const rows = await this.statements.run(SUSPEND, [
      ...[run.id, run.nodeId, state, run.seq],
      calls.map(({ callId }) => callId),
      calls.map(({ tool }) => tool),
      calls.map(({ args }) => JSON.stringify(args ?? null)),
      ...[toStoredContent({ text: run.text }), run.reasoning === '' ? null : run.reasoning],
      JSON.stringify(run.parts.map(toStoredPart)),
    ]);
    return rows.length === 1;
  }

  /**
   * Stores a decision about one call with its part. The last one makes the generation run on this node: the status is then
   * `streaming` and `shown` is set.
   * @param beforeContinue called before the commit that makes it run
   * @throws AppError `not_found`, also for a call that needs no decision; `conflict` for another decision than before;
   * `rate_limited` for the last decision while too many answers run. A Stop and the end of the wait deny the calls that
   * wait: to deny one again changes nothing, to allow it is a conflict
   */
  async decide(
    owner: Owner,
    { generationId, callId, allow }: { generationId: string; callId: string; allow: boolean },
    nodeId: string,
    beforeContinue: () => void,
  ): Promise<StoredDecision> {
    return this.dataSource.transaction(async (manager) => {
      // As for an admission: the number of running answers cannot grow until the commit. Accounts are locked before generations.
      await this.quotas.lockAccounts(manager, [owner]);
      const [row] = await manager.query<WaitingRow[]>(
        `select ${WAITING_COLUMNS} from generation where id = $1::uuid and owner = $2 for update`,
        [generationId, owner],
      );
      if (row === undefined) throw new AppError('not_found');
      const stored = (status: MessageStatus, shown: StoredDecision['shown'] = null) => ({ status, row, shown });
      const [call] = await manager.query<{ decision: boolean | null }[]>(
        'select decision from tool_call where generation_id = $1::uuid and call_id = $2 and (decision is not null or state = $3)',
        [generationId, callId, 'waiting'],
      );
      if (call === undefined) throw new AppError('not_found');
      if (call.decision !== null && call.decision !== allow) throw decidedOtherwise();
      if (call.decision !== null || row.status !== 'waiting') return stored(row.status);
      await manager.query(DECIDE, [generationId, callId, allow]);
      const shown = await this.show(manager, row, callId, allow);
      if ((await manager.query<unknown[]>(UNDECIDED, [generationId])).length > 0) return stored('waiting', shown);
      if (await this.isFull(manager, owner)) throw tooManyRunning();
      beforeContinue();
      await manager.query(CONTINUE, [generationId, nodeId]);
      return stored('streaming', shown);
    });
  }

  /** The last sequence number of a suspended generation. */
  async lastSeq(id: string): Promise<number> {
    const [row] = await this.statements.run<{ last_seq: number | null }>(
      'select last_seq from generation where id = $1::uuid',
      [id],
    );
    return row?.last_seq ?? 0;
  }

  /** The state with which a generation was suspended last; null once it is final, and for one that never was. */
  async suspension(id: string): Promise<Suspension | null> {
    const [row] = await this.statements.run<{ suspension: string | null }>(
      'select suspension from generation where id = $1::uuid',
      [id],
    );
    return row?.suspension == null ? null : (JSON.parse(row.suspension) as Suspension);
  }

  /** Generations that have waited for longer than a number of ms. */
  async expired(ms: number, limit: number): Promise<string[]> {
    const rows = await this.statements.run<{ id: string }>(
      `select id from generation where status = 'waiting' and waiting_since < now() - $1 * interval '1 ms' limit $2`,
      [ms, limit],
    );
    return rows.map(({ id }) => id);
  }

  private async isFull(manager: EntityManager, owner: Owner): Promise<boolean> {
    const [{ count }] = await manager.query<[{ count: number }]>(`select ${runningGenerations('$1')} as count`, [
      owner,
    ]);
    return count >= maxRunningOf(owner);
  }

  /** Changes the part of a decided call in the message and in the checkpoints. */
  private async show(
    manager: EntityManager,
    { id, message_id: messageId, last_seq: lastSeq }: WaitingRow,
    callId: string,
    isAllowed: boolean,
  ): Promise<StoredDecision['shown']> {
    const [{ parts }] = await manager.query<[{ parts: StoredPart[] }]>(PARTS_OF_MESSAGE, [messageId]);
    const index = parts.findIndex((part) => part.type === 'tool' && part.callId === callId);
    const part = decidedPart(parts[index] as ToolPart, isAllowed);
    const seq = lastSeq! + 1;
    await manager.query(SHOW_DECISION, [id, messageId, seq, index, JSON.stringify(part)]);
    return { seq, index, part };
  }
}

const decidedOtherwise = (): AppError => new AppError('conflict', { reason: 'call_decided' });
