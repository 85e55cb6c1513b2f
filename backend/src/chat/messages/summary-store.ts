import type { ThreadSummary } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';
import { type MessageRow, messageColumns } from './message-view.js';

/** A message of a path, with the summary that ends at it. */
export interface PathRow extends MessageRow {
  /** Tokens of the prompt and of the answer as the provider counted them; null for a user's message and when unknown. */
  context_tokens: number | null;
  /** null without one, and for one that was undone. */
  summary: string | null;
  /** Tokens of the prompt before the summary. */
  summary_tokens: number | null;
}

const ROW = `m.*, s.text as summary, s.tokens_before as summary_tokens`;

/** Joins the summary that ends at a message `m`; its text is null when it was undone. */
export const WITH_SUMMARY = 'left join thread_summary s on s.up_to_message_id = m.id';

/** Parts as text, since a compressed column may be a hundredth of what is read. */
const BYTES = `octet_length(m.content) + coalesce(octet_length(m.reasoning), 0) + coalesce(octet_length(m.parts::text), 0)`;

/** How much of a path one prompt reads. */
interface PathBounds {
  messages: number;
  /** Of texts, reasoning and calls. The message that exceeds them is the last one. */
  bytes: number;
}

/** The path from a message towards its root, newest first, to the first message with a summary. */
const selectPromptPath = statement<{ messageId: number } & PathBounds>(`with recursive path as (
  select ${ROW}, 1 as depth, ${BYTES} as bytes from message m ${WITH_SUMMARY}
  where m.id = :messageId::bigint
  union all
  select ${ROW}, path.depth + 1, path.bytes + ${BYTES}
  from path join message m on m.id = path.parent_id ${WITH_SUMMARY}
  where path.depth < :messages::int and path.bytes < :bytes::int and path.summary is null
) select ${messageColumns('path')}, path.context_tokens, path.summary, path.summary_tokens from path order by depth`);

const countBefore = statement<{ messageId: number }>(`with recursive path as (
  select parent_id from message where id = :messageId::bigint
  union all
  select m.parent_id from path join message m on m.id = path.parent_id
) select count(*)::int - 1 as count from path`);

/** The messages from the end of the shown path of a thread to its root. */
const SHOWN_PATH = `with recursive path as (
  select m.id, m.parent_id, 1 as depth from thread t join message m on m.id = t.active_leaf_id
  where t.id = :threadId::bigint
  union all
  select m.id, m.parent_id, path.depth + 1 from path join message m on m.id = path.parent_id
)`;

const selectShown = statement<{ threadId: number }>(`${SHOWN_PATH}
select s.text, s.up_to_message_id as "upToMessageId", s.tokens_before as "tokensBefore",
  s.tokens_after as "tokensAfter", trim_scale(s.cost_usd)::text as "costUsd"
from path join thread_summary s on s.up_to_message_id = path.id where s.text is not null order by path.depth limit 1`);

const undoShown = statement<{ threadId: number }>(`${SHOWN_PATH}
update thread_summary s set text = null from path where s.up_to_message_id = path.id and s.text is not null`);

const insertSummary = statement<{ threadId: number; modelId: string } & ThreadSummary>(`
insert into thread_summary (thread_id, up_to_message_id, text, tokens_before, tokens_after, cost_usd, model_id)
select m.thread_id, m.id, :text, :tokensBefore::int, :tokensAfter::int, :costUsd::numeric, :modelId
from message m where m.id = :upToMessageId::bigint and m.thread_id = :threadId::bigint
on conflict (up_to_message_id) do update set text = excluded.text, tokens_before = excluded.tokens_before,
  tokens_after = excluded.tokens_after, cost_usd = excluded.cost_usd, model_id = excluded.model_id, created_at = now()`);

/** Summaries of threads. Each belongs to the paths that its last message is on, so another branch has its own or none. */
@Injectable()
export class SummaryStore {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The messages from a message on, newest first, within bounds. The last one may have a summary, which covers it. */
  promptPath(messageId: number, bounds: PathBounds): Promise<PathRow[]> {
    return this.dataSource.query<PathRow[]>(...selectPromptPath({ messageId, ...bounds }));
  }

  /** Messages on the path of a message before it. */
  async countBefore(messageId: number): Promise<number> {
    const [row] = await this.dataSource.query<[{ count: number }]>(...countBefore({ messageId }));
    return row.count;
  }

  /** The newest summary of the shown path; null without one. */
  async newestShown(threadId: number): Promise<ThreadSummary | null> {
    const [row] = await this.dataSource.query<ThreadSummary[]>(...selectShown({ threadId }));
    return row ?? null;
  }

  /** Undoes the summaries of the shown path. @returns whether there was one */
  async undo(threadId: number): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown, number]>(...undoShown({ threadId }));
    return count > 0;
  }

  /** Stores nothing for a message that was deleted meanwhile. */
  async insert(threadId: number, modelId: string, summary: ThreadSummary): Promise<void> {
    await this.dataSource.query(...insertSummary({ threadId, modelId, ...summary }));
  }
}
