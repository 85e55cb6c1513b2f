import type { ProviderMessage } from '../../../providers/provider.js';
import { estimateTokens } from '../../../providers/token-estimate.js';
import { type AnswerPart, toMessagePart } from '../../messages/stored-parts.js';
import { answerMessages, withoutCalls } from './prompt-calls.js';
import { cutWithMark, fairShare } from './tokens.js';

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
