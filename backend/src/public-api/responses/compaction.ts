import {
  type ChatCompletionMessage,
  type ChatCompletionPart,
  type CompactedMessageItem,
  type CompactedResponse,
  type CompactionItem,
  type ResponseUsage,
} from '@tanya/contract';
import { randomUUID } from 'node:crypto';
import type { StoredAnswer } from '../../chat/generation/detached/written-answer.js';
import { quote } from '../../chat/generation/prompt/system-text.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { isFields } from '../../platform/json/fields.js';
import { textIn } from '../json-fields.js';

/** Characters of a summary in base64. */
const MAX_CONTENT = 1_000_000;

/** Tells summaries of this server from content that another one has encrypted. */
const PREFIX = 'summary:';

/** The last message of a conversation that is to be shortened. */
export const SUMMARY_REQUEST: ChatCompletionMessage = {
  role: 'user',
  content:
    'Write a summary of this conversation, from which another model will go on with it. Keep what was asked and decided, ' +
    'what was found and done with its names, numbers and paths, what failed, and what is still open. ' +
    'Write the summary alone.',
};

const LABEL = 'Summary of the conversation so far, which a model wrote';

const NOTHING = 'There is no summary.';

/**
 * Whether an item asks for a compaction in place of an answer, as the last one of an input by Codex; earlier versions sent the
 * other. Further up it is an earlier request that the client repeats.
 */
export const asksForCompaction = (item: unknown): boolean =>
  isFields(item) &&
  (item['type'] === 'compaction_trigger' ||
    (item['type'] === 'context_compaction' && item['encrypted_content'] == null));

const isSummary = ({ content }: ChatCompletionMessage): boolean =>
  typeof content === 'string' && content.startsWith(`${LABEL}:`);

const newId = (kind: 'msg' | 'cmp'): string => `${kind}_${randomUUID().replaceAll('-', '')}`;

/** A compacted conversation. @param messages of the conversation @param answer the summary of the model */
export function toCompacted(
  id: string,
  messages: readonly ChatCompletionMessage[],
  answer: StoredAnswer,
  usage: ResponseUsage,
): CompactedResponse {
  return {
    id,
    object: 'response.compaction',
    created_at: answer.created,
    output: [...messages.filter(isOfUser).map(toItem), compactionItem(newId('cmp'), answer.choices[0].text)],
    usage,
  };
}

/** Whether a message of the conversation stays beside the summary. */
const isOfUser = (message: ChatCompletionMessage): boolean => message.role === 'user' && !isSummary(message);

export const compactionItem = (id: string, text: string): CompactionItem => ({
  id,
  type: 'compaction',
  encrypted_content: PREFIX + Buffer.from(text.trim() || NOTHING).toString('base64'),
});

/** The conversation with which the next response goes on after a compaction. */
export const compacted = (
  messages: readonly ChatCompletionMessage[],
  item: CompactionItem,
): ChatCompletionMessage[] => [...messages.filter(isOfUser), summaryMessage({ ...item }, 'previous_response_id')];

/** The message that stands for a summary in the input. @throws AppError `invalid` for one that is not of this server */
export function summaryMessage(item: Record<string, unknown>, param: string): ChatCompletionMessage {
  const content = textIn(item, 'encrypted_content', MAX_CONTENT, param);
  const summary = content.startsWith(PREFIX)
    ? Buffer.from(content.slice(PREFIX.length), 'base64').toString('utf8').toWellFormed()
    : '';
  if (summary === '')
    throw invalidField(`${param}.encrypted_content`, 'encrypted_content must be that of a compaction by this server');
  return { role: 'user', content: quote(LABEL, summary) };
}

const toItem = ({ content }: ChatCompletionMessage): CompactedMessageItem => ({
  id: newId('msg'),
  type: 'message',
  status: 'completed',
  role: 'user',
  content: typeof content === 'string' ? [{ type: 'input_text', text: content }] : (content ?? []).flatMap(toPart),
});

function toPart(part: ChatCompletionPart): CompactedMessageItem['content'] {
  if (part.type === 'text') return [{ type: 'input_text', text: part.text }];
  if (part.type === 'image_url') {
    const { url, detail = 'auto' } = part.image_url;
    return [{ type: 'input_image', image_url: url, detail }];
  }
  return part.type === 'file' ? [{ type: 'input_file', ...part.file }] : [];
}
