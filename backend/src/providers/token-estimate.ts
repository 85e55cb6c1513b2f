import type { ProviderMessage } from './provider.js';

/**
 * Characters per token, a conservative estimate: English has about 4, Indonesian 3.5, code 3. Characters of scripts with
 * one or more tokens per character count as one token each.
 */
export const CHARACTERS_PER_TOKEN = 3;

/** First code unit that counts as one token: the radicals before the scripts of Chinese and Japanese. */
export const WIDE_FROM = 0x2e80;

/** Tokens of a message's role and separators. */
export const MESSAGE_OVERHEAD = 4;

/** Tokens of one image or recording, as vision models commonly count them. */
export const MEDIA_TOKENS = 1100;

/** Of a longer text every eighth character is looked at: all of 32 MB would take 0.1 s. */
const SAMPLED_FROM = 500_000;

/** A conservative estimate of a text's tokens. */
export function estimateTokens(text: string): number {
  const step = text.length < SAMPLED_FROM ? 1 : 8;
  let wide = 0;
  for (let index = 0; index < text.length; index += step) if (text.charCodeAt(index) >= WIDE_FROM) wide += step;
  wide = Math.min(wide, text.length);
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN + wide);
}

/** Estimated tokens of a message with its calls and reasoning, without images and recordings. */
export function messageTokens(message: ProviderMessage): number {
  const { content } = message;
  const texts =
    typeof content === 'string' ? [content] : content.map((part) => (part.type === 'text' ? part.text : ''));
  if (message.role === 'assistant') {
    if (message.toolCalls) texts.push(JSON.stringify(message.toolCalls));
    // Details repeat the reasoning.
    const { reasoningContent, reasoningDetails = [] } = message;
    texts.push(reasoningContent || (reasoningDetails.length > 0 ? JSON.stringify(reasoningDetails) : ''));
  }
  return texts.reduce((sum, text) => sum + estimateTokens(text), MESSAGE_OVERHEAD);
}

/** Estimated tokens of a prompt with its images and recordings. */
export const promptTokens = (messages: readonly ProviderMessage[]): number =>
  messages.reduce((sum, message) => sum + messageTokens(message) + mediaOf(message) * MEDIA_TOKENS, 0);

const mediaOf = ({ content }: ProviderMessage): number =>
  typeof content === 'string' ? 0 : content.filter(({ type }) => type !== 'text').length;
