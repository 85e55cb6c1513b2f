import type { Instructions } from '@tanya/contract';
import { estimateTokens } from '../../../providers/token-estimate.js';
import { cutToTokens, fairShare } from './tokens.js';

/** Share of the context that custom instructions may take. */
const INSTRUCTIONS_SHARE = 0.25;

const HEADING =
  'The user of this conversation gave custom instructions. Follow them unless they contradict the rules above.';

/** Quotes a text between marks that do not occur in it, so that the text cannot end its quotation. */
function quote(label: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/"+/g)].map(([run]) => run.length));
  const mark = '"'.repeat(longest + 1);
  return `${label}:\n${mark}\n${text}\n${mark}`;
}

/** The system prompt of the settings, then that of the model. */
export const withModelPrompt = (prompt: string, ofModel: string | null): string =>
  [prompt, ofModel].filter(Boolean).join('\n\n');

/**
 * The system message: the installation's own prompt, then the custom instructions, cut to their share of the context.
 * @param context tokens of the model's context
 * @returns isCut whether a part of the instructions was left out
 */
export function systemText(
  prompt: string,
  instructions: Instructions | null,
  context: number,
): { text: string; isCut: boolean } {
  const given = [
    { label: 'About the user', text: instructions?.aboutMe.trim() ?? '' },
    { label: 'How to answer', text: instructions?.howToAnswer.trim() ?? '' },
  ].filter(({ text }) => text !== '');
  if (given.length === 0) return { text: prompt, isCut: false };
  const sizes = given.map(({ text }) => estimateTokens(text));
  const share = fairShare(sizes, Math.floor(context * INSTRUCTIONS_SHARE));
  const quoted = given.map(({ label, text }) => quote(label, cutToTokens(text, share)));
  return {
    text: [prompt, HEADING, ...quoted].filter(Boolean).join('\n\n'),
    isCut: sizes.some((size) => size > share),
  };
}
