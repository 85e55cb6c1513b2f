import { CHARACTERS_PER_TOKEN, WIDE_FROM } from '../../../providers/token-estimate.js';

export const CUT_MARK = '\n[…]';

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
