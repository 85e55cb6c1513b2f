import type {
  ChatCompletionMessage,
  IncompleteReason,
  ResponseItem,
  ResponseMessageItem,
  ResponseObject,
  ResponseSettings,
  ResponseState,
} from '@tanya/contract';
import type { StoredAnswer, WrittenAnswer } from '../../chat/generation/detached-generations.js';
import { PROGRAM_JSON, parseWithin } from '../../platform/json/json-scan.js';
import { AppError } from '../../platform/errors/app-error.js';
import { isFields } from '../../platform/http/input-sizes.js';
import { toPublicApiError } from '../public-api-error.js';
import { ToolNames, upstreamName } from './tool-namespaces.js';

/** Properties that a response has from its start on. */
export interface ResponseHead {
  /** UUID of the generation. */
  id: string;
  settings: ResponseSettings;
  /** Epoch seconds. */
  created: number;
}

export const RUNNING: ResponseState = {
  status: 'in_progress',
  output: [],
  error: null,
  incomplete_details: null,
  usage: null,
};

const hexOf = (uuid: string): string => uuid.replaceAll('-', '');

export const responseId = (uuid: string): string => `resp_${hexOf(uuid)}`;

/** The UUID of a response's id; null for any other text. */
export function uuidOf(id: string): string | null {
  const hex = /^resp_([0-9a-f]{32})$/.exec(id)?.[1];
  return hex === undefined ? null : toUuid(hex);
}

const toUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The UUID of the response that an item belongs to; null for any value that is not the id of an item. */
export function uuidOfItem(id: unknown): string | null {
  const hex = typeof id === 'string' ? /^(?:msg_([0-9a-f]{32})|fc_([0-9a-f]{32})\d{1,4})$/.exec(id) : null;
  return hex === null ? null : toUuid(hex[1] ?? hex[2]!);
}

export const toResponse = ({ id, settings, created }: ResponseHead, state: ResponseState): ResponseObject => ({
  id: responseId(id),
  object: 'response',
  created_at: created,
  background: false,
  metadata: {},
  truncation: 'disabled',
  ...settings,
  ...state,
});

export const emptyMessage = (uuid: string): ResponseMessageItem => ({
  id: `msg_${hexOf(uuid)}`,
  type: 'message',
  status: 'in_progress',
  role: 'assistant',
  content: [],
});

export const callItemId = (uuid: string, index: number): string => `fc_${hexOf(uuid)}${index}`;

/** The items of an answer: its text, then its calls. */
export function itemsOf(
  { id: uuid, settings: { tools } }: Pick<ResponseHead, 'id' | 'settings'>,
  { text, calls = [], finishReason }: StoredAnswer,
): ResponseItem[] {
  const names = new ToolNames(tools);
  const message: ResponseItem = {
    ...emptyMessage(uuid),
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  };
  const items = calls.map((call, index): ResponseItem => ({
    id: callItemId(uuid, index),
    type: 'function_call',
    status: 'completed',
    call_id: call.id,
    ...names.of(call.name),
    arguments: call.arguments,
  }));
  const output = text === '' && items.length > 0 ? items : [message, ...items];
  if (incompleteReason(finishReason) !== null) output.at(-1)!.status = 'incomplete';
  return output;
}

/** Why an answer is incomplete; null for a complete one. */
export function incompleteReason(reason: WrittenAnswer['finishReason']): IncompleteReason | null {
  if (reason === 'length') return 'max_output_tokens';
  return reason === 'content_filter' ? reason : null;
}

/** @param output its items, in the order in which they began */
export function endedWith(answer: WrittenAnswer, output: ResponseItem[]): ResponseState {
  const reason = incompleteReason(answer.finishReason);
  const [input, written] = [answer.promptTokens ?? 0, answer.completionTokens ?? 0];
  return {
    status: reason === null ? 'completed' : 'incomplete',
    output,
    error: null,
    incomplete_details: reason && { reason },
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: answer.cachedTokens ?? 0 },
      output_tokens: written,
      output_tokens_details: { reasoning_tokens: answer.reasoningTokens ?? 0 },
      total_tokens: input + written,
    },
  };
}

/** Whether an error is the stored failure of a generation. After any other, as of a lost connection, the end is read later. */
export const isFailure = (error: unknown): error is AppError => error instanceof AppError;

export function failedWith(error: AppError): ResponseState {
  const { code, message } = toPublicApiError(error).error;
  return { ...RUNNING, status: 'failed', error: { code: code ?? 'server_error', message } };
}

/** The messages with which the next response continues this one. */
export function toAnswerMessages(state: ResponseState | null): ChatCompletionMessage[] {
  const items = state?.output ?? [];
  const content = items
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map(({ text }) => text)
    .join('');
  const calls = items.flatMap((item) =>
    item.type === 'function_call'
      ? [
          {
            id: item.call_id,
            type: 'function' as const,
            function: { name: upstreamName(item), arguments: validArguments(item.arguments) },
          },
        ]
      : [],
  );
  if (content === '' && calls.length === 0) return [];
  return [{ role: 'assistant', content: content || null, ...(calls.length > 0 && { tool_calls: calls }) }];
}

/** Arguments that a history may not have, since the model wrote them wrongly, are left out, so that the conversation goes on. */
function validArguments(json: string): string {
  try {
    return isFields(parseWithin(json, PROGRAM_JSON)) ? json : '{}';
  } catch {
    return '{}';
  }
}
