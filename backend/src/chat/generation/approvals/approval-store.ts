import type { MessageStatus, ReasoningEffort, ToolPart } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { Statements } from '../../../platform/database/statements.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { Owner } from '../../../identity/identity.js';
import { QuotaService } from '../../../quota/quota.service.js';
import { toStoredContent } from '../../messages/message-content.js';
import { type StoredPart, toStoredPart } from '../../messages/stored-parts.js';
import { decidedCall } from '../store/call-states.js';
import { type Checkpoint, type GenerationRow, hasMaxRunning, tooManyRunning } from '../store/generation-store.js';
import { takeOverRun, decideCall, findDecision, showDecision, suspendRun } from './approvals.sql.js';
import { decodeRun, type SavedRun } from './saved-run.js';

const WAITING_COLUMNS = `id, owner, thread_id as "threadId", user_message_id as "userMessageId", message_id as "messageId",
  model_id as "modelId", node_id as "nodeId", status, reasoning_effort as "reasoningEffort", suspension,
  last_seq as "lastSeq"`;

const UNDECIDED = `select 1 from tool_call where generation_id = $1::uuid and state = 'waiting' and decision is null limit 1`;

export interface Decision {
  generationId: string;
  callId: string;
  allow: boolean;
}

/** The columns of a generation that a decision reads. */
export interface WaitingRow extends Pick<
  GenerationRow,
  'id' | 'owner' | 'threadId' | 'userMessageId' | 'messageId' | 'modelId' | 'nodeId' | 'status'
> {
  reasoningEffort: ReasoningEffort | null;
  suspension: string | null;
  lastSeq: number | null;
}

export interface StoredDecision {
  status: MessageStatus;
  row: WaitingRow;
  /** The part of the call and its event's number; null when the decision had been stored before. */
  change: { seq: number; index: number; part: ToolPart } | null;
  /**
   * The run that this node has to continue, because the decision was the last one; null for another one. It may have begun
   * when `change` is null.
   */
  continued: SavedRun | null;
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
   * @param state made by `encodeRun`
   * @returns whether its thread is temporary now; null when the generation has ended, or waits already
   */
  async suspend(
    run: Checkpoint & { id: string; nodeId: string },
    calls: readonly ToolPart[],
    state: string,
  ): Promise<{ isTemporary: boolean } | null> {
    const [touched] = await this.statements.run<{ is_temporary: boolean }>(
      ...suspendRun({
        generationId: run.id,
        nodeId: run.nodeId,
        state,
        seq: run.seq,
        callIds: calls.map(({ callId }) => callId),
        tools: calls.map(({ tool }) => tool),
        arguments: calls.map(({ args }) => JSON.stringify(args ?? null)),
        content: toStoredContent({ text: run.text }),
        reasoning: run.reasoning === '' ? null : run.reasoning,
        parts: JSON.stringify(run.parts.map(toStoredPart)),
      }),
    );
    return touched === undefined ? null : { isTemporary: touched.is_temporary };
  }

  /**
   * Stores a decision about one call with its part. The last one makes the generation run on this node: the status is then
   * `streaming`, and `change` and `continued` are set. A repeated one sets `continued` too while the generation runs here.
   * @throws AppError `not_found`, also for a call that needs no decision; `conflict` for another decision than before, also
   *   after a Stop or the end of the wait, which deny the calls; `rate_limited` for the last decision while too many answers run
   */
  async decide(owner: Owner, { generationId, callId, allow }: Decision, nodeId: string): Promise<StoredDecision> {
    return this.dataSource.transaction(async (manager) => {
      // As for an admission: the number of running answers cannot grow until the commit. Accounts are locked before generations.
      await this.quotas.lockAccounts(manager, [owner]);
      const [row] = await manager.query<WaitingRow[]>(
        `select ${WAITING_COLUMNS} from generation where id = $1::uuid and owner = $2 for update`,
        [generationId, owner],
      );
      if (row === undefined) throw new AppError('not_found');
      const stored = (status: MessageStatus, change: StoredDecision['change'] = null): StoredDecision => ({
        status,
        row,
        change,
        continued: null,
      });
      const [call] = await manager.query<{ decision: boolean | null }[]>(...findDecision({ generationId, callId }));
      if (call === undefined) throw new AppError('not_found');
      if (call.decision !== null && call.decision !== allow) throw decidedOtherwise();
      if (call.decision !== null || row.status !== 'waiting') {
        const isHere = row.status === 'streaming' && row.nodeId === nodeId && row.suspension !== null;
        return { ...stored(row.status), continued: isHere ? decodeRun(row.suspension!) : null };
      }
      await manager.query(...decideCall({ generationId, callId, isAllowed: allow }));
      const change = await this.changePart(manager, row, callId, allow);
      if ((await manager.query<unknown[]>(UNDECIDED, [generationId])).length > 0) return stored('waiting', change);
      if (await hasMaxRunning(manager, owner)) throw tooManyRunning();
      await manager.query(...takeOverRun({ generationId, nodeId }));
      return { ...stored('streaming', change), continued: decodeRun(row.suspension!) };
    });
  }

  async lastSeq(id: string): Promise<number> {
    const [row] = await this.statements.run<{ last_seq: number | null }>(
      'select last_seq from generation where id = $1::uuid',
      [id],
    );
    return row?.last_seq ?? 0;
  }

  /** The run of a generation as it waited last; null once the generation is final, and for one that never waited. */
  async savedRun(id: string): Promise<SavedRun | null> {
    const [row] = await this.statements.run<{ suspension: string | null }>(
      'select suspension from generation where id = $1::uuid',
      [id],
    );
    return row?.suspension == null ? null : decodeRun(row.suspension);
  }

  /** Generations that have waited for longer than a number of ms. */
  async expired(ms: number, limit: number): Promise<string[]> {
    const rows = await this.statements.run<{ id: string }>(
      `select id from generation where status = 'waiting' and waiting_since < now() - $1 * interval '1 ms' limit $2`,
      [ms, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Changes the part of a decided call in the message and in the checkpoints. */
  private async changePart(
    manager: EntityManager,
    { id, messageId, lastSeq }: WaitingRow,
    callId: string,
    isAllowed: boolean,
  ): Promise<StoredDecision['change']> {
    const [{ parts }] = await manager.query<[{ parts: StoredPart[] }]>('select parts from message where id = $1', [
      messageId,
    ]);
    const index = parts.findIndex((part) => part.type === 'tool' && part.callId === callId);
    const part = decidedCall(parts[index] as ToolPart, isAllowed);
    const seq = lastSeq! + 1;
    await manager.query(
      ...showDecision({ generationId: id, messageId: messageId!, seq, index, part: JSON.stringify(part) }),
    );
    return { seq, index, part };
  }
}

const decidedOtherwise = (): AppError => new AppError('conflict', { reason: 'call_decided' });
