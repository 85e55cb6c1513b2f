import { PROJECT_TOOLS } from '@tanya/contract';
import { inSlices, type Slices, textPieces } from '../../../platform/system/slices.js';
import type { AnswerPart } from '../../messages/stored-parts.js';
import { CitationFilter } from './citation-filter.js';

/** Stands for what an earlier answer found in the files of a project, which may have changed or be out of reach since. */
const FOUND_BEFORE = '(Passages of the files as they were then. Search again to use or to cite them.)';

/** Characters of a text that are filtered in one piece: about 1 ms. */
const FILTERED = 8 * 1024;

/**
 * The parts of an earlier answer for a later prompt, without passages of files and the numbers of those: the next answer
 * gives the same numbers to other passages.
 */
export async function withoutPassages(parts: readonly AnswerPart[], slices: Slices): Promise<AnswerPart[]> {
  const without: AnswerPart[] = [];
  for (const part of parts) {
    const isSearch = part.type === 'tool' && part.state === 'done' && PROJECT_TOOLS.includes(part.tool);
    if (part.type === 'text') without.push({ ...part, text: await withoutCitations(part.text, parts, slices) });
    else without.push(isSearch ? { ...part, result: FOUND_BEFORE } : part);
  }
  return without;
}

/** A text of an earlier answer with these parts, without the citations of passages. */
export async function withoutCitations(text: string, parts: readonly AnswerPart[], slices: Slices): Promise<string> {
  const numbers = new Set<number>();
  for (const part of parts) if (part.type === 'source' && part.fileId !== undefined) numbers.add(part.index);
  if (numbers.size === 0) return text;
  const filter = new CitationFilter(
    (number) => !numbers.has(number),
    () => undefined,
  );
  let kept = '';
  for await (const piece of inSlices(textPieces(text, FILTERED), slices)) kept += filter.push(piece);
  return kept + filter.flush();
}
