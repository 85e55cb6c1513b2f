import type { ExtractionProblem } from '../formats/sections.js';

/** Characters of one page that a model gets. */
export const MAX_PAGE_CHARACTERS = 200_000;

export interface PageTask {
  /** Content-Type as the server sent it. */
  contentType: string;
  base64: string;
}

/** `unsupported`: the content has no text, whatever its server claims. */
export type PageProblem = Exclude<ExtractionProblem, 'unknown'> | 'unsupported';

/** `isCut`: the page has more than `MAX_PAGE_CHARACTERS`. */
export type PageResult = { title: string; text: string; isCut: boolean } | { problem: PageProblem };
