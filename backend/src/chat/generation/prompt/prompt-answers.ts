import type { MessagePart } from '@tanya/contract';
import type { ProviderMessage } from '../../../providers/provider.js';
import { answerMessages } from './prompt-calls.js';
import { cutWithMark, estimateTokens, fairShare, MESSAGE_OVERHEAD } from './tokens.js';

/**
 * The messages of an answer with calls. The longest results are cut to the same length.
 * @param resultTokens tokens of all results together
 */
export function messagesWithCalls(parts: readonly MessagePart[], resultTokens: number): ProviderMessage[] {
  const messages = answerMessages(parts);
  const results = messages.flatMap((message) => (message.role === 'tool' ? [estimateTokens(message.content)] : []));
  const share = fairShare(results, resultTokens);
  return messages.map((message) =>
    message.role === 'tool' ? { ...message, content: cutWithMark(message.content, share) } : message,
  );
}

/** Tokens of a message with its calls, without images and recordings. */
export function messageTokens(message: ProviderMessage): number {
  const { content } = message;
  const calls = message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls) : '';
  const texts =
    typeof content === 'string' ? [content] : content.map((part) => (part.type === 'text' ? part.text : ''));
  return texts.reduce((sum, text) => sum + estimateTokens(text), estimateTokens(calls) + MESSAGE_OVERHEAD);
}
