/**
 * Characters per token, a conservative estimate: English has about 4, Indonesian 3.5, code 3. Characters of scripts with
 * one or more tokens per character count as one token each.
 */
const CHARACTERS_PER_TOKEN = 3;

/** First code unit that counts as one token: the radicals before the scripts of Chinese and Japanese. */
const WIDE_FROM = 0x2e80;

/** Tokens of a message's role and separators. */
export const MESSAGE_OVERHEAD = 4;

export const CUT_MARK = '\n[…]';

/** A conservative estimate of a text's tokens. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) >= WIDE_FROM) wide += 1;
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN + wide);
}

/** The longest prefix of a text that fits, without splitting a surrogate pair. */
export function cutToTokens(text: string, tokens: number): string {
  let end = 0;
  for (let thirds = tokens * CHARACTERS_PER_TOKEN; end < text.length; end += 1) {
    thirds -= text.charCodeAt(end) >= WIDE_FROM ? CHARACTERS_PER_TOKEN : 1;
    if (thirds < 0) break;
  }
  if (end === text.length) return text;
  const code = text.charCodeAt(end - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end);
}

/** Cuts a text to a number of tokens, and marks the cut. */
export function cutWithMark(text: string, tokens: number): string {
  const kept = cutToTokens(text, tokens);
  return kept.length < text.length ? kept + CUT_MARK : text;
}

/**
 * The most tokens that each of several texts may have, so that all fit: short texts leave what they do not need to the
 * longer ones. Infinity when all fit whole.
 * @param sizes tokens of each text
 */
export function fairShare(sizes: readonly number[], tokens: number): number {
  let room = tokens;
  let left = sizes.length;
  for (const size of sizes.toSorted((one, other) => one - other)) {
    const share = Math.floor(room / left);
    if (size > share) return Math.max(share, 0);
    room -= size;
    left -= 1;
  }
  return Infinity;
}
