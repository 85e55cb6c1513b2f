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

/** The wide characters of a longer text are counted by its bytes: a loop would take 0.1 s for 32 MB. */
const LONG_TEXT = 256;

/** A conservative estimate of a text's tokens. */
export function estimateTokens(text: string): number {
  const wide = text.length < LONG_TEXT ? wideCharacters(text) : wideByBytes(text);
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN + wide);
}

function wideCharacters(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) >= WIDE_FROM) wide += 1;
  return wide;
}

/** A wide character has two bytes more than units in UTF-8. Letters with accents have one more, and count as half of one. */
const wideByBytes = (text: string): number => Math.min(text.length, (Buffer.byteLength(text) - text.length) / 2);

/** The tokens of the texts in a JSON value, without the names of fields. JSON of them would take 0.2 s for 32 MB. */
function tokensIn(value: unknown): number {
  if (typeof value === 'string') return estimateTokens(value);
  if (typeof value !== 'object' || value === null) return 0;
  let tokens = 0;
  for (const each of Object.values(value)) tokens += tokensIn(each);
  return tokens;
}

/** Estimated tokens of a message with its calls and reasoning, without images and recordings. */
export function messageTokens(message: ProviderMessage): number {
  const { content } = message;
  const texts =
    typeof content === 'string' ? [content] : content.map((part) => (part.type === 'text' ? part.text : ''));
  let tokens = MESSAGE_OVERHEAD + (message.name === undefined ? 0 : estimateTokens(message.name));
  if (message.role === 'assistant') {
    const { toolCalls, reasoningContent, reasoningDetails } = message;
    if (toolCalls) {
      texts.push(JSON.stringify(toolCalls.map(({ extraContent: _, json: __, ...call }) => call)));
      // As they are: JSON of them would take 0.2 s for 32 MB.
      for (const { json } of toolCalls) if (json !== undefined) texts.push(json);
    }
    // Details repeat the reasoning.
    tokens += reasoningContent ? estimateTokens(reasoningContent) : tokensIn(reasoningDetails);
  }
  return texts.reduce((sum, text) => sum + estimateTokens(text), tokens);
}

/** Estimated tokens of a prompt with its images and recordings. */
export const promptTokens = (messages: readonly ProviderMessage[]): number =>
  messages.reduce((sum, message) => sum + messageTokens(message) + mediaOf(message) * MEDIA_TOKENS, 0);

const mediaOf = ({ content }: ProviderMessage): number =>
  typeof content === 'string' ? 0 : content.filter(({ type }) => type !== 'text').length;
