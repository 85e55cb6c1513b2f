import type { MessagePart } from '@tanya/contract';
import type { ProviderMessage } from '../../../providers/provider.js';
import { estimateTokens } from '../../../providers/token-estimate.js';
import { answerMessages } from './prompt-calls.js';
import { cutWithMark, fairShare } from './tokens.js';

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
