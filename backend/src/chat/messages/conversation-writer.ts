import {
  type GenerationError,
  type MessageFeedback,
  type MessageNotice,
  type MessagePart,
  parseContent,
  type TerminalStatus,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { statement } from '../../platform/database/named-parameters.js';
import { type Owner, ownerUserId } from '../../identity/identity.js';
import { runIn } from '../../platform/database/statements.js';
import { isProjectMember } from '../../projects/project-sql.js';
import { searchText } from './message-content.js';
import { INDEXED_CHARACTERS, searchVector } from './message-sql.js';
import { TextQuota } from './text-quota.js';
import { isDerivable, type StoredPart, toStoredPart } from './stored-parts.js';

/** A message of a conversation that is written as a whole. */
export interface WrittenMessage {
  /** Position of the parent in the list, before this message; null for a root. */
  parent: number | null;
  content: string;
  isUserMessage: boolean;
  status: TerminalStatus;
  modelId: string | null;
  reasoning: string | null;
  /** The ordered parts of an AI message; empty for a user's message. */
  parts: MessagePart[];
  error: GenerationError | null;
  notice: string | null;
  notices: MessageNotice[] | null;
  isDemo: boolean;
  /** The owner's rating of an answer; none by default. It does not count for the model here. */
  feedback?: MessageFeedback | null;
  createdAt: Date;
}

/** The thread of a conversation. */
export interface WrittenThread {
  title: string;
  modelId: string | null;
  /** Names of the tools that are switched on; none by default. */
  tools?: string[];
  /** null, the default, follows the account's choice. */
  useInstructions?: boolean | null;
  /** None by default. A project that the account is not in is left out. */
  projectId?: number | null;
  createdAt: Date;
  updatedAt: Date;
  /** Seconds from the last message to its deletion; null for the thread of an account. */
  lifetime: number | null;
  /** Whether an archived thread comes back pinned. */
  isPinned: boolean;
  isArchived: boolean;
}

export interface WrittenConversation extends WrittenThread {
  /** Versions of a message stand in their order, oldest first. */
  messages: WrittenMessage[];
  /** Position of the last message of the shown path. */
  activeLeaf: number;
  /** Whether the messages of the user are those of another client. */
  isShared: boolean;
}

/** Bounds of one statement: messages, and characters of their texts, which are encoded in one turn of the event loop. */
const BATCH_MESSAGES = 200;
const BATCH_CHARACTERS = 1_000_000;

/** Room that the rows of a conversation and of a message take beside their texts, in characters. */
const CONVERSATION_CHARACTERS = 1_000;
const MESSAGE_CHARACTERS = 200;

type ThreadValues = Pick<
  WrittenThread,
  'title' | 'modelId' | 'createdAt' | 'updatedAt' | 'lifetime' | 'isPinned' | 'isArchived'
>;

const insertThread = statement<
  ThreadValues & {
    owner: Owner;
    userId: number | null;
    tools: string[];
    useInstructions: boolean | null;
    projectId: number | null;
  }
>(`insert into thread (owner, user_id, title, is_renamed, model_id, tools, use_instructions, project_id, created_at,
    updated_at, lifetime, expires_at, is_pinned, is_archived, written_at)
  values (:owner, :userId, :title, true, :modelId, :tools, :useInstructions,
    case when ${isProjectMember(':projectId::int', ':userId::int')} then :projectId::int end, :createdAt, :updatedAt,
    :lifetime::float8, now() + make_interval(secs => :lifetime::float8), :isPinned, :isArchived, now())
  returning id`);

const finishThread = statement<{
  threadId: number;
  activeLeafId: number;
  sharedUntilId: number | null;
  writtenCharacters: number;
}>(`update thread set active_leaf_id = :activeLeafId, shared_until_id = :sharedUntilId,
    written_characters = :writtenCharacters
  where id = :threadId`);

const NEXT_IDS = `select nextval(pg_get_serial_sequence('message', 'id')) as id from generate_series(1, $1::int)`;

/** @param messages a JSON array */
const insertMessages = statement<{ threadId: number; userId: number | null; messages: string }>(`
  insert into message (id, thread_id, parent_id, user_id, content, reasoning, parts, is_user_message, status, model_id,
    error, notice, notices, is_demo, created_at, search)
  select m.id, :threadId::bigint, m."parentId", :userId::int, m.content, m.reasoning, m.parts, m."isUserMessage", m.status,
    m."modelId", m.error, m.notice, m.notices, m."isDemo", m."createdAt", ${searchVector('m.search')}
  from json_to_recordset(:messages::json) as m(id bigint, "parentId" bigint, content text, reasoning text, parts jsonb,
    "isUserMessage" boolean, status text, "modelId" text, error jsonb, notice text, notices jsonb, "isDemo" boolean,
    "createdAt" timestamptz, search text)`);

/** Ratings of answers that other installations have written. @param ratings a JSON array */
const insertRatings = statement<{ ratings: string }>(`insert into message_feedback (message_id, rating, reason)
  select r.id, r.rating, r.reason from json_to_recordset(:ratings::json) as r(id bigint, rating text, reason text)`);

/** The characters with which a conversation counts for `TextQuota`. @param texts characters of all texts of its messages */
export const writtenCharacters = (messages: number, texts: number): number =>
  CONVERSATION_CHARACTERS + MESSAGE_CHARACTERS * messages + texts;

/** Characters of a message's text, reasoning and parts. */
function charactersOf(message: WrittenMessage): number {
  const parts = storedParts(message);
  return (
    message.content.length + (message.reasoning?.length ?? 0) + (parts === null ? 0 : JSON.stringify(parts).length)
  );
}

/** The parts to store; null where the columns of text and reasoning give them, or where an image is the whole answer. */
function storedParts({ isUserMessage, content, parts }: WrittenMessage): StoredPart[] | null {
  if (isUserMessage || isDerivable(parts) || parseContent(content).imageUrl !== undefined) return null;
  return parts.map(toStoredPart);
}

/** Splits messages, as JSON, into batches of bounded size. */
function* batchesOf(rows: Iterable<string>): Generator<string[]> {
  let batch: string[] = [];
  let size = 0;
  for (const row of rows) {
    const { length } = row;
    if (batch.length > 0 && (batch.length >= BATCH_MESSAGES || size + length > BATCH_CHARACTERS)) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(row);
    size += length;
  }
  if (batch.length > 0) yield batch;
}

/** The rows of messages as JSON, one at a time. @param first position of the first of them in their conversation */
function* rowsOf(messages: readonly WrittenMessage[], ids: readonly number[], first: number): Generator<string> {
  for (const [at, message] of messages.entries()) {
    const { parent, feedback: _rating, ...columns } = message;
    yield JSON.stringify({
      ...columns,
      id: ids[first + at],
      parentId: parent === null ? null : ids[parent],
      parts: storedParts(message),
      search: searchText(message.content, message.parts).slice(0, INDEXED_CHARACTERS),
    });
  }
}

/** Writes whole conversations without generations: copies of shared ones, and imported ones. Nothing is charged. */
@Injectable()
export class ConversationWriter {
  constructor(private readonly quota: TextQuota) {}

  /** Claims room for a conversation in the caller's transaction, before `insert`. @throws AppError `storage_full` */
  async claimRoom(
    manager: EntityManager,
    owner: Owner,
    { messages }: Pick<WrittenConversation, 'messages'>,
  ): Promise<void> {
    const texts = messages.reduce((sum, message) => sum + charactersOf(message), 0);
    await this.quota.claimRoom(runIn(manager), owner, writtenCharacters(messages.length, texts));
  }

  /** Inserts a thread with at least one message, in the caller's transaction. @returns its id */
  async insert(manager: EntityManager, owner: Owner, conversation: WrittenConversation): Promise<number> {
    const { messages, activeLeaf, isShared } = conversation;
    const thread = await this.startThread(manager, owner, conversation, messages.length);
    await thread.addMessages(messages);
    await thread.finish(activeLeaf, isShared);
    return thread.id;
  }

  /**
   * Inserts a thread whose messages follow in pieces, in the caller's transaction.
   * @param count of all messages, at least one
   */
  async startThread(
    manager: EntityManager,
    owner: Owner,
    thread: WrittenThread,
    count: number,
  ): Promise<GrowingThread> {
    const { tools = [], useInstructions = null, projectId = null } = thread;
    const userId = ownerUserId(owner);
    const [{ id }] = await manager.query<[{ id: number }]>(
      ...insertThread({ ...thread, tools, useInstructions, projectId, owner, userId }),
    );
    const rows = await manager.query<{ id: number }[]>(NEXT_IDS, [count]);
    // Versions of a message are ordered by id.
    const ids = rows.map((row) => Number(row.id)).sort((a, b) => a - b);
    return new GrowingThread(manager, id, userId, ids);
  }
}

/** A thread that is being written. */
export class GrowingThread {
  private added = 0;
  private texts = 0;

  constructor(
    private readonly manager: EntityManager,
    readonly id: number,
    private readonly userId: number | null,
    /** Of all its messages, in ascending order. */
    private readonly ids: readonly number[],
  ) {}

  /** Inserts the next messages. */
  async addMessages(messages: readonly WrittenMessage[]): Promise<void> {
    const { manager, id: threadId, userId, ids, added } = this;
    for (const batch of batchesOf(rowsOf(messages, ids, added))) {
      await manager.query(...insertMessages({ threadId, userId, messages: `[${batch.join(',')}]` }));
    }
    const ratings = messages.flatMap(({ feedback }, at) => (feedback ? [{ ...feedback, id: ids[added + at] }] : []));
    if (ratings.length > 0) await manager.query(...insertRatings({ ratings: JSON.stringify(ratings) }));
    this.added += messages.length;
    this.texts += messages.reduce((sum, message) => sum + charactersOf(message), 0);
  }

  /** @param activeLeaf position of the last message of the shown path */
  async finish(activeLeaf: number, isShared: boolean): Promise<void> {
    const { manager, id: threadId, ids, added, texts } = this;
    await manager.query(
      ...finishThread({
        threadId,
        activeLeafId: ids[activeLeaf]!,
        sharedUntilId: isShared ? ids.at(-1)! : null,
        writtenCharacters: writtenCharacters(added, texts),
      }),
    );
  }
}
