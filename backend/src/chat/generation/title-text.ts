import { LIMITS, trimEndOf } from '@tanya/contract';
import { isApology } from '../../quota/site-calls.js';

/** Characters of a model's answer that are read; what comes later is no title. */
const READ = 600;

/** Marks around a title; before it also those of headings, lists and quotations. */
const LEADING = /^(?:[\s#>*_`~"'“”„«»‘’「『《【-]|\d+[.)]\s)+/u;
const TRAILING = ` \t"'“”„«»‘’」』》】*_\`~.。:：;,`;

/** The word with which some models begin, in the languages of the page. */
const LABEL = /^(?:(?:chat |conversation )?title|judul(?: percakapan| chat)?)\s*[:：]\s*/i;

/** Tags that models write around a title; `List<int>` is none of them. */
const TAGS = /<\/?(?:chat|title|b|i|em|strong|p|h[1-6]|br)\s*\/?>/gi;

const THINKING = /<(think(?:ing)?|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;

/** What an echo of the request begins with. */
const ECHO = /^(?:user|assistant)\s*[:：]/i;

/**
 * A title that an answer gives: one line of plain text. '' when it has none: a line of more than `LIMITS.automaticTitle`
 * characters goes on with the chat instead of naming it.
 */
export function titleIn(answer: string): string {
  const lines = answer.slice(0, READ).replace(THINKING, '').replace(TAGS, '').split(/\r?\n/);
  const line = lines.map(plainLine).find((plain) => /[\p{L}\p{N}]/u.test(plain)) ?? '';
  const isTitle = !isApology(line) && !ECHO.test(line) && Array.from(line).length <= LIMITS.automaticTitle;
  return isTitle ? line : '';
}

function plainLine(line: string): string {
  // Control characters, and those that change the direction of what stands beside the title.
  const visible = line.replace(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ').replace(/\s+/g, ' ');
  const unlabelled = visible.replace(LEADING, '').replace(LABEL, '').replace(LEADING, '');
  const unlinked = unlabelled.replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/\*\*|__|`/g, '');
  return trimEndOf(unlinked, TRAILING).trim();
}
