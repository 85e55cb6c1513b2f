import type { GenerationError, Message, TerminalStatus } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Owner } from '../../platform/session/identity.js';
import type { QuotaAccount } from '../../quota/quota-ledger.js';
import { type Plan, QuotaService } from '../../quota/quota.service.js';
import { GenerationStore } from './generation-store.js';
import { searchText } from '../messages/message-content.js';
import { searchVector } from '../messages/message-search.js';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-view.js';

/** What a generation came to. */
export interface GenerationResult {
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
export interface FinalizedGeneration {
  status: TerminalStatus;
  error: GenerationError | null;
  owner: Owner;
  threadId: number | null;
  message: Message | null;
  /** null when the owner had none any more. */
  account: QuotaAccount | null;
  plan: Plan;
}

interface EndedRow {
  owner: Owner;
  cost: number;
  period: string;
  thread_id: number | null;
  message: MessageRow | null;
  siblings: number[] | null;
}

/**
 * The compare-and-set with everything of the chat that changes by it. The account is locked before the generation, the
 * order of an admission: the other way round the two would lock each other out. A guest's account that an account takes
 * over in between matches the generation no longer, and nothing ends.
 * An answer without a message is kept with its generation, for the Idempotency-Key.
 * $1 generation, $2 status, $3 error, $4 content, $5 reasoning, $6 notice, $7 the content's words, $8 why it ended, $9 and $10 tokens.
 */
const END = `with locked as (
  select a.owner, a.period from quota_account a join generation g on g.owner = a.owner and g.period = a.period
  where g.id = $1::uuid for update of a
), ended as (
  update generation g set status = $2, error = $3::jsonb, finished_at = now(),
    answer = case when g.message_id is null then jsonb_build_object('text', $4::text, 'finishReason', $8::text,
      'promptTokens', $9::int, 'completionTokens', $10::int, 'created', floor(extract(epoch from g.created_at))) end
  from locked where g.id = $1::uuid and g.status = 'streaming' and g.owner = locked.owner
  returning g.owner, g.thread_id, g.message_id, g.cost, g.period
), ended_message as (
  update message m set content = $4, reasoning = $5, status = $2, error = $3::jsonb, notice = $6, search = ${searchVector('$7')}
  from ended where m.id = ended.message_id returning ${messageColumns('m')}
), touched as (
  update thread set updated_at = now() from ended_message where thread.id = ended_message.thread_id
)
select ended.owner, ended.cost, ended.period, ended.thread_id,
  (select to_jsonb(ended_message) from ended_message) as message,
  (select json_agg(s.id order by s.id) from message s, ended_message e where s.parent_id = e.parent_id) as siblings
from ended`;

/** How a generation ends, once: its message, its charge and its ledger in one transaction. */
@Injectable()
export class GenerationFinalizer {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: GenerationStore,
    private readonly quotas: QuotaService,
  ) {}

  /**
   * The one way from `streaming` to a final state.
   * @returns null when somebody else had ended it
   */
  async finish(id: string, outcome: GenerationResult): Promise<FinalizedGeneration | null> {
    const settled = await this.tryFinish(id, outcome);
    // Still running: an account took over the guest's things in the middle of it.
    if (settled === null && (await this.store.status(id)) === 'streaming') return this.tryFinish(id, outcome);
    return settled;
  }

  private async tryFinish(id: string, outcome: GenerationResult): Promise<FinalizedGeneration | null> {
    const { status, error, content, reasoning, notice, charged, finishReason, promptTokens, completionTokens } =
      outcome;
    return this.dataSource.transaction(async (manager) => {
      const [row] = await manager.query<EndedRow[]>(END, [
        id,
        status,
        error === null ? null : JSON.stringify(error),
        content,
        reasoning,
        notice,
        searchText(content),
        finishReason,
        promptTokens,
        completionTokens,
      ]);
      if (row === undefined) return null;
      const { owner, period, cost, thread_id: threadId, message, siblings } = row;
      const { account, plan } = await this.quotas.settle(manager, {
        owner,
        generationId: id,
        period,
        cost,
        outcome: charged ? 'charged' : 'released',
        reason: status,
        promptTokens,
        completionTokens,
      });
      // A statement of its own: it must see the text that was stored while the first one waited for its locks.
      await manager.query('delete from generation_chunk where generation_id = $1', [id]);
      const shown = message === null ? null : toMessage(message, siblings ?? [message.id]);
      return { status, error, owner, threadId, message: shown, account, plan };
    });
  }
}
