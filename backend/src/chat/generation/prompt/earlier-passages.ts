import { PROJECT_TOOLS } from '@tanya/contract';
import type { AnswerPart } from '../../messages/stored-parts.js';
import { CitationFilter } from './citation-filter.js';

/** Stands for what an earlier answer found in the files of a project, which may have changed or be out of reach since. */
const FOUND_BEFORE = '(Passages of the files as they were then. Search again to use or to cite them.)';

/**
 * The parts of an earlier answer for a later prompt, without passages of files and the numbers of those: the next answer
 * gives the same numbers to other passages.
 */
export function withoutPassages(parts: readonly AnswerPart[]): AnswerPart[] {
  const without = citationRemover(parts);
  return parts.map((part) => {
    if (part.type === 'text') return { ...part, text: without(part.text) };
    const isSearch = part.type === 'tool' && part.state === 'done' && PROJECT_TOOLS.includes(part.tool);
    return isSearch ? { ...part, result: FOUND_BEFORE } : part;
  });
}

/** Removes the citations of passages from the text of an earlier answer with these parts. */
export function citationRemover(parts: readonly AnswerPart[]): (text: string) => string {
  const numbers = new Set<number>();
  for (const part of parts) if (part.type === 'source' && part.fileId !== undefined) numbers.add(part.index);
  if (numbers.size === 0) return (text) => text;
  return (text) => {
    const filter = new CitationFilter(
      (number) => !numbers.has(number),
      () => undefined,
    );
    return filter.push(text) + filter.flush();
  };
}
