import type {
  ChatCompletionMessage,
  IncompleteReason,
  ResponseCallItem,
  ResponseConstants,
  ResponseItem,
  ResponseMessageItem,
  ResponseObject,
  ResponseSettings,
  ResponseState,
} from '@tanya/contract';
import type { FinishReason, StoredAnswer, WrittenAnswer } from '../../chat/generation/detached/written-answer.js';
import { AppError } from '../../platform/errors/app-error.js';
import { toPublicApiError } from '../public-api-error.js';
import { compactionItem } from './compaction.js';
import { begunCall, isCall, setArguments, toFunctionCall } from './response-calls.js';
import { ToolNames } from './response-tools.js';

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
  const hex =
    typeof id === 'string' ? /^(?:(?:msg|cmp)_([0-9a-f]{32})|(?:fc|ctc|tsc)_([0-9a-f]{32})\d{1,4})$/.exec(id) : null;
  return hex === null ? null : toUuid(hex[1] ?? hex[2]!);
}

const CONSTANTS: ResponseConstants = {
  background: false,
  max_tool_calls: null,
  metadata: {},
  prompt_cache_key: null,
  safety_identifier: null,
  service_tier: 'default',
  top_logprobs: 0,
  truncation: 'disabled',
};

export const toResponse = (
  { id, settings: { isCompaction: _, ...settings }, created }: ResponseHead,
  state: ResponseState,
): ResponseObject => ({
  id: responseId(id),
  object: 'response',
  created_at: created,
  completed_at: null,
  ...CONSTANTS,
  frequency_penalty: 0,
  presence_penalty: 0,
  ...settings,
  // Clients with Open Responses' schema take no null; these are OpenAI's defaults.
  temperature: settings.temperature ?? 1,
  top_p: settings.top_p ?? 1,
  ...state,
});

export const emptyMessage = (uuid: string): ResponseMessageItem => ({
  id: `msg_${hexOf(uuid)}`,
  type: 'message',
  status: 'in_progress',
  role: 'assistant',
  content: [],
});

/** The item of a call that begins. @param call its id and its name at the provider */
export const emptyCall = (
  uuid: string,
  index: number,
  call: { id: string; name: string },
  names: ToolNames,
): ResponseCallItem => begunCall(hexOf(uuid), index, call, names);

/** The item of a summary. One that a filter ended stands for nothing. */
export const summaryItems = (uuid: string, text: string, reason: IncompleteReason | null): ResponseItem[] =>
  reason === 'content_filter' ? [] : [compactionItem(`cmp_${hexOf(uuid)}`, text)];

/** The items of an answer: its text, then its calls; of a compaction its summary. */
export function itemsOf(
  { id: uuid, settings: { tools, isCompaction } }: Pick<ResponseHead, 'id' | 'settings'>,
  { choices: [{ text, calls = [], finishReason }] }: StoredAnswer,
): ResponseItem[] {
  if (isCompaction) return summaryItems(uuid, text, incompleteReason(finishReason));
  const names = new ToolNames(tools);
  const message: ResponseItem = {
    ...emptyMessage(uuid),
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  };
  const items = calls.map((call, index): ResponseItem => {
    const item = emptyCall(uuid, index, call, names);
    setArguments(item, call.arguments);
    return { ...item, status: 'completed' };
  });
  const output = text === '' && items.length > 0 ? items : [message, ...items];
  const last = output.at(-1)!;
  if (incompleteReason(finishReason) !== null && last.type !== 'compaction') last.status = 'incomplete';
  return output;
}

/** Why an answer is incomplete; null for a complete one. */
export function incompleteReason(reason: FinishReason | null): IncompleteReason | null {
  if (reason === 'length') return 'max_output_tokens';
  return reason === 'content_filter' ? reason : null;
}

/** @param output its items, in the order in which they began */
export function endedWith(answer: WrittenAnswer, output: ResponseItem[]): ResponseState {
  const reason = incompleteReason(answer.choices[0].finishReason);
  const [input, written] = [answer.promptTokens ?? 0, answer.completionTokens ?? 0];
  return {
    status: reason === null ? 'completed' : 'incomplete',
    completed_at: reason === null ? Math.floor(Date.now() / 1000) : null,
    ...(answer.model !== undefined && { model: answer.model }),
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

/** How a failed response ends. Codex repeats one five times, except after codes of OpenAI such as that of a refused request. */
export function failedWith(error: AppError): ResponseState {
  const { code, message } = toPublicApiError(error).error;
  const shown = error.code === 'provider_refused' ? 'invalid_prompt' : (code ?? 'server_error');
  return { ...RUNNING, status: 'failed', error: { code: shown, message } };
}

/** The messages with which the next response continues this one. */
export function toAnswerMessages(state: ResponseState | null): ChatCompletionMessage[] {
  const items = state?.output ?? [];
  const content = items
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map(({ text }) => text)
    .join('');
  const calls = items.filter(isCall).map(toFunctionCall);
  if (content === '' && calls.length === 0) return [];
  return [{ role: 'assistant', content: content || null, ...(calls.length > 0 && { tool_calls: calls }) }];
}
