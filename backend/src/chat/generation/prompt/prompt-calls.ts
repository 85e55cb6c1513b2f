import { randomBytes } from 'node:crypto';
import type { ToolPart } from '@tanya/contract';
import type { ExtraContent, ProviderMessage } from '../../../providers/provider.js';
import { estimateTokens } from '../../../providers/token-estimate.js';
import { type AnswerPart, toMessagePart } from '../../messages/stored-parts.js';
import { cutWithMark, fairShare } from './tokens.js';

/** Tokens of each result of a tool where a prompt is too long. */
export const SHORT_RESULT_TOKENS = 500;

/** An id of a call that every provider takes. Mistral requires nine letters and digits. */
export const newCallId = (): string => randomBytes(5).toString('hex').slice(0, 9);

/** Why a call has no result, for the model. */
const NO_RESULT: Partial<Record<ToolPart['state'], string>> = {
  failed: 'The call failed.',
  denied: 'The user denied this call.',
};

/** The result of a call as the model reads it; a call that did not end gets one that says so. */
export function resultOf({ state, result, error }: ToolPart): string {
  if (state === 'done') return result ?? '';
  return error ?? NO_RESULT[state] ?? 'The call was interrupted. Its result is unknown.';
}

/** One step of the model: text, and the calls that followed it. A call without arguments that can be read has none. */
export interface CalledStep {
  text: string;
  calls: ToolPart[];
  /** Only from providers that take it back under the name `reasoning_content`. */
  reasoningContent?: string;
  reasoningDetails?: unknown[];
  /** What the provider adds to its calls, by their ids. */
  extraContents?: Readonly<Record<string, ExtraContent>>;
}

/** A step as messages: the calls in one message, and a result for each. */
export const stepMessages = ({
  text,
  calls,
  reasoningContent,
  reasoningDetails,
  extraContents = {},
}: CalledStep): ProviderMessage[] => [
  {
    role: 'assistant',
    content: text,
    toolCalls: calls.map(({ callId, tool, args }) => {
      const extraContent = extraContents[callId];
      return { id: callId, name: tool, args, ...(extraContent === undefined ? {} : { extraContent }) };
    }),
    ...(reasoningContent === undefined ? {} : { reasoningContent }),
    ...(reasoningDetails === undefined ? {} : { reasoningDetails }),
  },
  ...calls.map((call) => ({ role: 'tool' as const, callId: call.callId, content: resultOf(call) })),
];

/** The text and the reasoning that goes back to its provider; an empty text for any other part. */
function saidIn(part: AnswerPart): Pick<CalledStep, 'text' | 'reasoningContent'> {
  if (part.type === 'text') return { text: part.text };
  return { text: '', ...(part.type === 'reasoning' && part.name !== undefined && { reasoningContent: part.text }) };
}

/**
 * The messages of an answer with calls: its steps, then its last text. Calls without text or reasoning between them are one
 * step. DeepSeek requires the reasoning of all of them in later turns too.
 */
export function answerMessages(parts: readonly AnswerPart[]): ProviderMessage[] {
  const messages: ProviderMessage[] = [];
  const isNamed = parts.some((part) => saidIn(part).reasoningContent !== undefined);
  const emptyStep = (): CalledStep => ({ text: '', calls: [], ...(isNamed && { reasoningContent: '' }) });
  let step = emptyStep();
  for (const part of parts) {
    if (part.type === 'tool') step.calls.push(part);
    const { text, reasoningContent = '' } = saidIn(part);
    if (text === '' && reasoningContent === '') continue;
    if (step.calls.length > 0) {
      messages.push(...stepMessages(step));
      step = emptyStep();
    }
    step.text += text;
    if (isNamed) step.reasoningContent += reasoningContent;
  }
  const { text, calls, ...reasoning } = step;
  if (calls.length > 0) messages.push(...stepMessages(step));
  else if (text !== '') messages.push({ role: 'assistant', content: text, ...reasoning });
  return messages;
}

/** Writes calls and results as text, for a model that takes no tools. */
export function withoutCalls(messages: readonly ProviderMessage[]): ProviderMessage[] {
  const results = new Map(messages.flatMap((each) => (each.role === 'tool' ? [[each.callId, each.content]] : [])));
  return messages.flatMap((message): ProviderMessage[] => {
    if (message.role === 'tool') return [];
    if (message.role !== 'assistant' || message.toolCalls === undefined) return [message];
    const calls = message.toolCalls.map(
      ({ id, name, args }) => `[${name}(${JSON.stringify(args ?? {})}) gave: ${results.get(id) ?? ''}]`,
    );
    const text = typeof message.content === 'string' ? message.content : '';
    return [{ role: 'assistant', content: [text, ...calls].filter(Boolean).join('\n\n') }];
  });
}

/**
 * The messages of an answer with calls. The longest results are cut to the same length.
 * @param resultTokens tokens of all results together
 */
export function messagesWithCalls(parts: readonly AnswerPart[], resultTokens: number): ProviderMessage[] {
  const messages = answerMessages(parts);
  const results = messages.flatMap((message) => (message.role === 'tool' ? [estimateTokens(message.content)] : []));
  const share = fairShare(results, resultTokens);
  return messages.map((message) =>
    message.role === 'tool' ? { ...message, content: cutWithMark(message.content, share) } : message,
  );
}

/**
 * The same without the reasoning that its provider may require back with calls, which are therefore text; null for an
 * answer without such reasoning.
 */
export function messagesWithoutReasoning(parts: readonly AnswerPart[], resultTokens: number): ProviderMessage[] | null {
  if (!parts.some((part) => part.type === 'reasoning' && part.name !== undefined)) return null;
  return withoutCalls(messagesWithCalls(parts.map(toMessagePart), resultTokens));
}

/** Gives calls of earlier answers other ids where a later answer repeats them: some servers require unique ids. */
export function withUniqueCalls(messages: readonly ProviderMessage[]): ProviderMessage[] {
  const seen = new Set<string>();
  let renamed = new Map<string, string>();
  const rename = (id: string): string => renamed.get(id) ?? id;
  const unique = [...messages];
  // The results of a message stand behind it, so its calls are renamed before them.
  for (let at = unique.length - 1; at >= 0; at -= 1) {
    const message = unique[at]!;
    if (message.role !== 'assistant' || message.toolCalls === undefined) continue;
    const { toolCalls } = message;
    renamed = new Map(toolCalls.flatMap(({ id }) => (seen.has(id) ? [[id, `${id.slice(0, 50)}_${at}`]] : [])));
    for (const { id } of toolCalls) seen.add(rename(id));
    if (renamed.size === 0) continue;
    unique[at] = { ...message, toolCalls: toolCalls.map((call) => ({ ...call, id: rename(call.id) })) };
    for (let next = at + 1; unique[next]?.role === 'tool'; next += 1) {
      const result = unique[next]!;
      if (result.role === 'tool') unique[next] = { ...result, callId: rename(result.callId) };
    }
  }
  return unique;
}
