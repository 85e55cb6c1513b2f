import type { GenerationError, Message, MessageFeedback, MessageNotice, MessageStatus } from '@tanya/contract';
import { partsOf, type StoredPart, toMessagePart } from './stored-parts.js';

export interface MessageRow {
  id: number;
  thread_id: number;
  parent_id: number | null;
  content: string;
  reasoning: string | null;
  parts: StoredPart[] | null;
  is_user_message: boolean;
  status: MessageStatus;
  model_id: string | null;
  generation_id: string | null;
  error: GenerationError | null;
  notice: string | null;
  is_demo: boolean;
  notices: MessageNotice[] | null;
  created_at: Date;
}

export const MESSAGE_COLUMNS = [
  'id',
  'thread_id',
  'parent_id',
  'content',
  'reasoning',
  'parts',
  'is_user_message',
  'status',
  'model_id',
  'generation_id',
  'error',
  'notice',
  'is_demo',
  'notices',
  'created_at',
] as const;

/** The columns of `MessageRow` with an alias: `m.id, m.thread_id, …` */
export const messageColumns = (alias: string): string =>
  MESSAGE_COLUMNS.map((column) => `${alias}.${column}`).join(', ');

/** @param siblingIds ids of the versions at the message's position, oldest first; by default the message alone */
export function toMessage(row: MessageRow, siblingIds: number[] = [row.id], feedback?: MessageFeedback): Message {
  return {
    id: row.id,
    threadId: row.thread_id,
    parentId: row.parent_id,
    content: row.content,
    ...(row.is_user_message ? {} : { parts: partsOf(row).map(toMessagePart) }),
    isUserMessage: row.is_user_message,
    createdAt: new Date(row.created_at).toISOString(),
    status: row.status,
    modelId: row.model_id,
    reasoning: row.reasoning,
    generationId: row.generation_id,
    error: row.error,
    notice: row.notice,
    ...(row.is_demo ? { isDemo: true } : {}),
    ...(row.notices === null ? {} : { notices: row.notices }),
    ...(feedback ? { feedback } : {}),
    siblingIds,
  };
}
