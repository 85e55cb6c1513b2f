import { PROJECT_TOOLS } from '@tanya/contract';
import { inSlices, type Slices, textPieces } from '../../../platform/system/slices.js';
import type { AnswerPart } from '../../messages/stored-parts.js';
import { CitationFilter } from './citation-filter.js';
import type { PathMessage } from './prompt.js';

/** Stands for what an earlier answer found in the files of a project, which may have changed or be out of reach since. */
const FOUND_BEFORE = '(Passages of the files as they were then. Search again to use or to cite them.)';

/** Characters of a text that are filtered in one piece: about 1 ms. */
const FILTERED = 8 * 1024;

const isSearch = (part: AnswerPart): part is Extract<AnswerPart, { type: 'tool' }> =>
  part.type === 'tool' && part.state === 'done' && PROJECT_TOOLS.includes(part.tool);

/**
 * An earlier answer for later prompts and summaries, without passages of files and the numbers of those: the next answer
 * gives the same numbers to other passages. Its provider has counted the passages.
 */
export async function withoutPassages(message: PathMessage, slices: Slices): Promise<PathMessage> {
  const { parts } = message;
  if (parts === undefined) return message;
  const numbers = new Set<number>();
  for (const part of parts) if (part.type === 'source' && part.fileId !== undefined) numbers.add(part.index);
  const hasFound = parts.some(isSearch);
  if (numbers.size === 0 && !hasFound) return message;
  const without: AnswerPart[] = [];
  for (const part of parts) {
    if (part.type === 'text') without.push({ ...part, text: await withoutCitations(part.text, numbers, slices) });
    else without.push(isSearch(part) ? { ...part, result: FOUND_BEFORE } : part);
  }
  return {
    ...message,
    content: await withoutCitations(message.content, numbers, slices),
    parts: without,
    contextTokens: hasFound ? null : message.contextTokens,
  };
}

async function withoutCitations(text: string, numbers: ReadonlySet<number>, slices: Slices): Promise<string> {
  if (numbers.size === 0) return text;
  const filter = new CitationFilter(
    (number) => !numbers.has(number),
    () => undefined,
  );
  let kept = '';
  for await (const piece of inSlices(textPieces(text, FILTERED), slices)) kept += filter.push(piece);
  return kept + filter.flush();
}
