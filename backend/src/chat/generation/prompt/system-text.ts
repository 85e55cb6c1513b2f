import type { Instructions } from '@tanya/contract';
import type { PromptProject } from '../../../projects/project-store.js';
import { estimateTokens } from '../../../providers/token-estimate.js';
import { cutToTokens, fairShare } from './tokens.js';

/** Share of the context that custom instructions may take. */
const INSTRUCTIONS_SHARE = 0.25;

const HEADING =
  'The user of this conversation gave custom instructions. Follow them unless they contradict the rules above.';

const PROJECT_HEADING =
  'This conversation belongs to a project with instructions. Follow them unless they contradict the rules above.';

const projectLabel = (name: string): string => `Instructions of the project ${JSON.stringify(name)}`;

/** A mark that does not occur in a text, which therefore cannot end its quotation. */
export function markFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/"{3,}/g)) longest = Math.max(longest, run.length);
  return '"'.repeat(longest + 1);
}

/** Quotes a text between marks that do not occur in it. */
export function quote(label: string, text: string): string {
  const mark = markFor(text);
  return `${label}:\n${mark}\n${text}\n${mark}`;
}

/** The system prompt of the settings, then that of the model. */
export const withModelPrompt = (prompt: string, ofModel: string | null): string =>
  [prompt, ofModel].filter(Boolean).join('\n\n');

/** Instructions beside the system prompt. */
interface GivenInstructions {
  project: Pick<PromptProject, 'name' | 'instructions'> | null;
  /** The custom instructions of the asker. */
  own: Instructions | null;
}

/**
 * The system message: the installation's own prompt, then the instructions of the project, then the custom instructions,
 * cut to their share of the context together.
 * @param context tokens of the model's context
 * @returns isCut whether a part of the instructions was left out
 */
export function systemText(
  prompt: string,
  { project, own }: GivenInstructions,
  context: number,
): { text: string; isCut: boolean } {
  const given = [
    { heading: PROJECT_HEADING, label: projectLabel(project?.name ?? ''), text: project?.instructions.trim() ?? '' },
    { heading: HEADING, label: 'About the user', text: own?.aboutMe.trim() ?? '' },
    { heading: HEADING, label: 'How to answer', text: own?.howToAnswer.trim() ?? '' },
  ].filter(({ text }) => text !== '');
  if (given.length === 0) return { text: prompt, isCut: false };
  const sizes = given.map(({ text }) => estimateTokens(text));
  const share = fairShare(sizes, Math.floor(context * INSTRUCTIONS_SHARE));
  const quoted = given.flatMap(({ heading, label, text }, at) => [
    ...(given[at - 1]?.heading === heading ? [] : [heading]),
    quote(label, cutToTokens(text, share)),
  ]);
  return { text: [prompt, ...quoted].filter(Boolean).join('\n\n'), isCut: sizes.some((size) => size > share) };
}
