import type { FeedbackRequest, MessageFeedback, ModelFeedback } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';
import type { Owner } from '../../identity/identity.js';
import { Statements } from '../../platform/database/statements.js';

/** The finished AI message of the owner, locked so that it is not deleted meanwhile. */
const ANSWER = `select m.id, m.thread_id, m.model_id from message m join thread t on t.id = m.thread_id
  where m.id = :messageId::bigint and t.owner = :owner and not m.is_user_message and m.status not in ('streaming', 'waiting')
    and m.model_id is not null for key share of m`;

interface Rated {
  messageId: number;
  owner: Owner;
}

const saveRating = statement<
  Rated & { rating: MessageFeedback['rating']; reason: string | null }
>(`with answer as (${ANSWER}), saved as (
  insert into message_feedback (message_id, rating, reason, model_id)
  select id, :rating, :reason, model_id from answer
  on conflict (message_id) do update set rating = excluded.rating, reason = excluded.reason
) select thread_id as "threadId" from answer`);

const removeRating = statement<Rated>(`with answer as (${ANSWER}), removed as (
  delete from message_feedback f using answer where f.message_id = answer.id
) select thread_id as "threadId" from answer`);

const COUNTS = `select model_id as "modelId", count(*) filter (where rating = 'up')::int as up,
  count(*) filter (where rating = 'down')::int as down
  from message_feedback where model_id is not null group by model_id order by model_id`;

@Injectable()
export class FeedbackStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly statements: Statements,
  ) {}

  /** @returns the thread of the message; null when the owner has no such finished answer */
  save(owner: Owner, messageId: number, { rating, reason }: FeedbackRequest): Promise<number | null> {
    return this.change(saveRating({ messageId, owner, rating, reason: reason ?? null }));
  }

  /** Idempotent. @returns as `save` */
  remove(owner: Owner, messageId: number): Promise<number | null> {
    return this.change(removeRating({ messageId, owner }));
  }

  async feedbackOf(messageIds: readonly number[]): Promise<Map<number, MessageFeedback>> {
    const rows = await this.dataSource.query<(MessageFeedback & { messageId: number })[]>(
      'select message_id as "messageId", rating, reason from message_feedback where message_id = any($1::bigint[])',
      [messageIds],
    );
    return new Map(rows.map(({ messageId, ...feedback }) => [messageId, feedback]));
  }

  countsByModel(): Promise<ModelFeedback[]> {
    return this.dataSource.query<ModelFeedback[]>(COUNTS);
  }

  private async change(rating: [statement: string, parameters: unknown[]]): Promise<number | null> {
    const [row] = await this.statements.run<{ threadId: number }>(...rating);
    return row?.threadId ?? null;
  }
}
