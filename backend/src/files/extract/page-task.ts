import type { ExtractionProblem } from './extraction.js';

/** A downloaded page. */
export interface PageTask {
  /** Content-Type as the server sent it. */
  contentType: string;
  base64: string;
}

/** `unsupported`: the content has no text, whatever its server claims. */
export type PageProblem = ExtractionProblem | 'unsupported';

/** `isCut`: the page has more than `MAX_CHARACTERS`. */
export type PageResult = { title: string; text: string; isCut: boolean } | { problem: PageProblem };
