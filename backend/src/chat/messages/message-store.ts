import { LIMITS, type Message } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';
import { runIn, type RunStatement } from '../../platform/database/statements.js';
import { ReadReplica } from '../../platform/database/read-replica.js';
import type { Owner } from '../../identity/identity.js';
import { INDEXED_CHARACTERS } from './message-sql.js';
import { type MessageRow, messageColumns, toMessage } from './message-view.js';

/** The path from a message to its root, newest first. $1 message, $2 maximum length. */
const PATH = `with recursive path as (
  select m.*, 1 as depth from message m where m.id = $1::bigint
  union all
  select m.*, path.depth + 1 from message m join path on m.id = path.parent_id where path.depth < $2::int
) select ${messageColumns('path')} from path order by depth`;

/** JSON that a message takes in a page, in bytes. The parts of an answer repeat its text and its reasoning. */
const PAGE_BYTES = `(500 + octet_length(coalesce(m.parts::text, '')) + (case when m.is_user_message then 1 else 2 end)
  * (octet_length(to_json(m.content)::text) + octet_length(to_json(coalesce(m.reasoning, ''))::text)))`;

/**
 * The path from a message to its root, newest first, up to a number of messages and bytes of JSON. A message beyond the
 * bound is measured and not read.
 */
const selectPage = statement<{ messageId: number; limit: number; bytes: number }>(`with recursive path as (
  select m.*, 1 as depth, ${PAGE_BYTES} as bytes from message m where m.id = :messageId::bigint
  union all
  select m.*, path.depth + 1, path.bytes + ${PAGE_BYTES} from message m join path on m.id = path.parent_id
  where path.depth < :limit::int and path.bytes <= :bytes::int
) select ${messageColumns('path')} from path where depth = 1 or bytes <= :bytes::int order by depth`);

/** Bytes of a message's texts. Those of its text and reasoning are known without reading them. */
const TEXT_BYTES = `(octet_length(m.content) + coalesce(octet_length(m.reasoning), 0)
  + octet_length(coalesce(m.parts::text, '')))`;

/**
 * The last messages of a path, in one row: one for each of 200,000 messages would hold the event loop. Parents have lower
 * ids than their children.
 */
const selectOutline = statement<{ threadId: number; messageId: number; limit: number }>(`with recursive path as (
  select m.id, m.parent_id, ${TEXT_BYTES} as bytes, 1 as depth from message m
  where m.id = :messageId::bigint and m.thread_id = :threadId::bigint
  union all
  select m.id, m.parent_id, ${TEXT_BYTES}, path.depth + 1 from message m join path on m.id = path.parent_id
  where path.depth < :limit::int
) select json_agg(id order by id) as ids, json_agg(bytes order by id) as bytes from path`);

/** Messages of a thread in the order of their ids, up to a number and to bytes of text, at least one. */
const selectAfter = statement<{
  threadId: number;
  after: number;
  limit: number;
  bytes: number;
}>(`select ${messageColumns('m')} from (
  select m.*, sum(${TEXT_BYTES}) over (order by m.id) as bytes, row_number() over (order by m.id) as place from (
    select * from message where thread_id = :threadId and id > :after order by id limit :limit::int
  ) m
) m where m.bytes <= :bytes::int or m.place = 1 order by m.id`);

/** The newest leaf below a message: at each step the newest child. $1 message. */
const LEAF = `with recursive down as (
  select id from message where id = $1::bigint
  union all
  select (select max(c.id) from message c where c.parent_id = down.id) from down where down.id is not null
) select max(id) as id from down`;

/**
 * Of each message the ids of the versions at its place, oldest first: of more than `shown`, those around it. Each message
 * is one row, because rows of single versions would hold the event loop: a place may have as many as the thread messages.
 */
const selectVersions = statement<{ ids: number[]; threadId: number; shown: number }>(`with asked as (
  select id, parent_id from message where id = any(:ids::bigint[])
), places as (
  select parent_id, array_agg(id order by id) as ids from message
  where parent_id in (select parent_id from asked) group by parent_id
  union all
  select null, array_agg(id order by id) from message
  where thread_id = :threadId and parent_id is null and exists (select 1 from asked where parent_id is null)
), bounds as (
  select asked.id, places.ids, greatest(0, least(
    array_position(places.ids, asked.id) - :shown::int / 2, cardinality(places.ids) - :shown::int)) as skipped
  from asked join places on places.parent_id is not distinct from asked.parent_id
)
select id, (select json_agg(version order by place) from unnest(ids) with ordinality as versions (version, place)
  where place > skipped and place <= skipped + :shown::int) as versions
from bounds`);

/** A message without its texts. */
export interface MessageOutline {
  id: number;
  /** Bytes of its texts in UTF-8. */
  bytes: number;
}

/** An AI message and the user message that it answers. */
export interface AnswerRef {
  threadId: number;
  userMessageId: number;
  modelId: string;
  /** null for an answer of a deleted generation. */
  generationId: string | null;
}

/** A message as far as the search reads it. */
export type SearchedPart = Pick<MessageRow, 'id' | 'content' | 'is_user_message' | 'created_at'>;

/** Reads messages. A thread is a tree of messages; a path leads from a message up to its root. */
@Injectable()
export class MessageStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly replica: ReadReplica,
  ) {}

  async find(id: number): Promise<Message | null> {
    const rows = await this.dataSource.query<MessageRow[]>(
      `select ${messageColumns('m')} from message m where id = $1`,
      [id],
    );
    if (rows[0] === undefined) return null;
    const versions = await this.versionsOf(rows[0].thread_id, [id]);
    return toMessage(rows[0], versions.get(id));
  }

  /** At most `limit` messages from a message up to its root, newest first. */
  path(messageId: number, limit: number): Promise<MessageRow[]> {
    return this.dataSource.query<MessageRow[]>(PATH, [messageId, limit]);
  }

  /** A page of a path, from a message on towards its root, newest first: at least one message, then up to both bounds. */
  page(messageId: number, limit: number, bytes: number): Promise<MessageRow[]> {
    return this.dataSource.query<MessageRow[]>(...selectPage({ messageId, limit, bytes }));
  }

  /** The last messages of a path of the thread, oldest first; empty when it does not have the message. */
  async outline(threadId: number, messageId: number, limit: number): Promise<MessageOutline[]> {
    const [{ ids, bytes }] = await this.dataSource.query<[{ ids: number[] | null; bytes: number[] | null }]>(
      ...selectOutline({ threadId, messageId, limit }),
    );
    return (ids ?? []).map((id, at) => ({ id, bytes: bytes![at]! }));
  }

  findMany(ids: readonly number[]): Promise<MessageRow[]> {
    return this.dataSource.query<MessageRow[]>(
      `select ${messageColumns('m')} from message m where m.id = any($1::bigint[]) order by m.id`,
      [ids],
    );
  }

  /** @returns null for a root, and for a message that is not in this thread */
  async parentOf(threadId: number, messageId: number): Promise<number | null> {
    const rows = await this.dataSource.query<{ parent_id: number | null }[]>(
      'select parent_id from message where id = $1 and thread_id = $2',
      [messageId, threadId],
    );
    return rows[0]?.parent_id ?? null;
  }

  /** The newest leaf below a message. @returns null when the message is not in this thread */
  async leafBelow(threadId: number, messageId: number): Promise<number | null> {
    const found = await this.dataSource.query<unknown[]>('select 1 from message where id = $1 and thread_id = $2', [
      messageId,
      threadId,
    ]);
    if (found.length === 0) return null;
    const [row] = await this.dataSource.query<[{ id: number }]>(LEAF, [messageId]);
    return row.id;
  }

  /** @returns null when the thread has no such user message */
  async userMessage(threadId: number, id: number): Promise<{ parentId: number | null } | null> {
    const rows = await this.dataSource.query<{ parentId: number | null }[]>(
      'select parent_id as "parentId" from message where id = $1 and thread_id = $2 and is_user_message',
      [id, threadId],
    );
    return rows[0] ?? null;
  }

  /** @returns null when the owner has no such AI message */
  async answer(owner: Owner, id: number): Promise<AnswerRef | null> {
    const rows = await this.dataSource.query<AnswerRef[]>(
      `select m.thread_id as "threadId", m.parent_id as "userMessageId", m.model_id as "modelId",
              m.generation_id as "generationId"
       from message m join thread t on t.id = m.thread_id
       where m.id = $1 and t.owner = $2 and not m.is_user_message and m.parent_id is not null`,
      [id, owner],
    );
    return rows[0] ?? null;
  }

  /** The ids of the versions at the place of each message of a thread, oldest first; `LIMITS.versions` at most. */
  async versionsOf(
    threadId: number,
    ids: readonly number[],
    run: RunStatement = runIn(this.dataSource.manager),
  ): Promise<Map<number, number[]>> {
    const rows = await run<{ id: number; versions: number[] }>(
      ...selectVersions({ ids: [...ids], threadId, shown: LIMITS.versions }),
    );
    return new Map(rows.map(({ id, versions }) => [id, versions]));
  }

  /** The searched beginning of messages, by message id. */
  async searchedParts(ids: readonly number[]): Promise<Map<number, SearchedPart>> {
    const rows = await this.dataSource.query<SearchedPart[]>(
      `select id, left(content, ${INDEXED_CHARACTERS}) as content, is_user_message, created_at
       from message where id = any($1::bigint[])`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The next messages of a thread in the order of their ids, for an export: at least one, then up to both bounds. */
  afterId(threadId: number, after: number, limit: number, bytes: number): Promise<MessageRow[]> {
    return this.replica.snapshot((run) => run<MessageRow>(...selectAfter({ threadId, after, limit, bytes })));
  }

  /** Makes the messages of a guest's threads searchable for the account. Call it before the threads move. */
  async migrateGuest(manager: EntityManager, guest: Owner, userId: number): Promise<void> {
    await manager.query(
      `update message set user_id = $2
      where thread_id in (select id from thread where owner = $1 and not is_temporary)`,
      [guest, userId],
    );
  }
}
