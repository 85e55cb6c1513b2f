import { DEFAULT_CONTEXT_LENGTH, type MessageNotice, type MessagePart } from '@tanya/contract';
import type { ProviderMessage, ProviderPart } from '../../../providers/provider.js';
import { answerMessages } from './prompt-calls.js';

/** One message of the conversation, oldest first, with its attachments resolved. */
export interface PromptTurn {
  role: 'user' | 'assistant';
  text: string;
  /** Text of attached documents. */
  documents?: { name: string; text: string }[];
  media?: Exclude<ProviderPart, { type: 'text' }>[];
  /** The parts of an answer with calls of tools. They are kept or left out together. */
  parts?: MessagePart[];
}

export interface Prompt {
  messages: ProviderMessage[];
  /** Says what was left out; null when everything fits. */
  notice: string | null;
  notices: MessageNotice[];
}

/**
 * Characters per token, a conservative estimate: English has about 4, Indonesian 3.5, code 3. Characters of scripts with
 * one or more tokens per character count as one token each.
 */
const CHARACTERS_PER_TOKEN = 3;

/** Tokens of a message's role and separators. */
const MESSAGE_OVERHEAD = 4;

/** Tokens of one image or recording, as vision models commonly count them. */
const MEDIA_TOKENS = 1100;

/** Share of the context that is reserved for the answer, and its maximum in tokens. */
const ANSWER_SHARE = 0.25;
const ANSWER_MAX = 4096;

const CUT_MARK = '\n[…]';

/** A conservative estimate of a text's tokens. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x2e7f) wide += 1;
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN + wide);
}

/** The longest prefix of a text that fits, without splitting a surrogate pair. */
function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  const code = text.charCodeAt(low - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? low - 1 : low);
}

function withDocuments(turn: PromptTurn, documentTokens: number): { text: string; cut: boolean } {
  const documents = turn.documents ?? [];
  if (documents.length === 0) return { text: turn.text, cut: false };
  const share = Math.floor(documentTokens / documents.length);
  let cut = false;
  const quoted = documents.map(({ name, text }) => {
    const kept = cutToTokens(text, share);
    cut ||= kept.length < text.length;
    return `Attached document ${JSON.stringify(name)}:\n"""\n${kept}${kept.length < text.length ? CUT_MARK : ''}\n"""`;
  });
  return { text: [turn.text, ...quoted].filter(Boolean).join('\n\n'), cut };
}

/** Tokens of a message without its documents. */
export const minimumTokens = (text: string, media: number): number =>
  estimateTokens(text) + media * MEDIA_TOKENS + MESSAGE_OVERHEAD;

/** Tokens of a message with its calls, without its media. */
function tokensOf(message: ProviderMessage): number {
  const { content } = message;
  const calls = message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls) : '';
  const texts =
    typeof content === 'string' ? [content] : content.map((part) => (part.type === 'text' ? part.text : ''));
  return texts.reduce((sum, text) => sum + estimateTokens(text), estimateTokens(calls) + MESSAGE_OVERHEAD);
}

/** The messages of an answer with calls. Each result gets an equal share of the tokens. */
function messagesWithCalls(parts: readonly MessagePart[], resultTokens: number): ProviderMessage[] {
  const messages = answerMessages(parts);
  const share = Math.floor(resultTokens / Math.max(messages.filter(({ role }) => role === 'tool').length, 1));
  return messages.map((message) =>
    message.role === 'tool' ? { ...message, content: cutResult(message.content, share) } : message,
  );
}

/** Cuts the result of a call to a number of tokens, and marks the cut. */
export function cutResult(result: string, tokens: number): string {
  const kept = cutToTokens(result, tokens);
  return kept.length < result.length ? `${kept}${CUT_MARK}` : result;
}

function toMessage(turn: PromptTurn, text: string): ProviderMessage {
  if (turn.media === undefined || turn.media.length === 0) return { role: turn.role, content: text };
  return { role: turn.role, content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...turn.media] };
}

/**
 * Builds the prompt: the system prompt, the newest message, and as many earlier turns as fit into the context minus the
 * room for the answer. Document text is cut first, then the oldest turns are dropped, and last the newest text is cut.
 * @param contextLength in tokens; 8,192 when unknown
 * @param shrink halves the context, after the provider refused the length
 */
export function buildPrompt(
  systemPrompt: string,
  turns: readonly PromptTurn[],
  contextLength: number | null,
  shrink = false,
): Prompt {
  const context = (contextLength ?? DEFAULT_CONTEXT_LENGTH) / (shrink ? 2 : 1);
  const answer = Math.min(ANSWER_MAX, context * ANSWER_SHARE);
  let room = Math.floor(context - answer) - estimateTokens(systemPrompt) - MESSAGE_OVERHEAD;
  const newest = turns.at(-1);
  const system: ProviderMessage[] = systemPrompt === '' ? [] : [{ role: 'system', content: systemPrompt }];
  if (newest === undefined) return { messages: system, notice: null, notices: [] };

  const sentences: string[] = [];
  const notices: MessageNotice[] = [];
  const remark = (sentence: string, notice: MessageNotice) => {
    sentences.push(sentence);
    notices.push(notice);
  };
  const fixed = MESSAGE_OVERHEAD + (newest.media?.length ?? 0) * MEDIA_TOKENS;
  const ownText = cutToTokens(newest.text, Math.max(room - fixed, 16));
  if (ownText.length < newest.text.length) remark('your message was cut to fit the model', { code: 'message_cut' });
  const documentRoom = Math.max(room - fixed - estimateTokens(ownText) - 2 * MESSAGE_OVERHEAD, 0);
  const newestText = withDocuments({ ...newest, text: ownText }, documentRoom);
  if (newestText.cut) remark('a document was cut to fit the model', { code: 'document_cut' });
  room -= fixed + estimateTokens(newestText.text);

  const kept: ProviderMessage[] = [toMessage(newest, newestText.text)];
  const earlier = turns.slice(0, -1);
  let left = earlier.length;
  for (const turn of earlier.toReversed()) {
    const media = (turn.media?.length ?? 0) * MEDIA_TOKENS;
    const half = Math.floor(room / 2);
    const messages = turn.parts
      ? messagesWithCalls(turn.parts, half)
      : [toMessage(turn, withDocuments(turn, half).text)];
    const tokens = messages.reduce((sum, message) => sum + tokensOf(message), media);
    if (tokens > room) break;
    room -= tokens;
    kept.unshift(...messages);
    left -= 1;
  }
  if (left > 0) {
    const sentence = `${left} earlier message${left === 1 ? ' was' : 's were'} left out to fit the model`;
    remark(sentence, { code: 'earlier_left_out', params: { count: left } });
  }
  const notice = sentences.length === 0 ? null : `${sentences.join('; ')}.`;
  return {
    messages: [...system, ...kept],
    notice: notice === null ? null : notice[0]!.toUpperCase() + notice.slice(1),
    notices,
  };
}
