import type { PageWord } from '@tanya/contract';

/** Draws pages of the PDF at `path` and writes the pictures, JPEGs, one after another to a new file at `target`. */
export interface PictureTask {
  path: string;
  target: string;
  /** From 1, in order. Blank ones are left out. */
  pages: number[];
  /** Pictures at most. */
  most: number;
  /** Whether the words on the pages are wanted too. */
  withWords?: boolean;
}

export interface DrawnPicture {
  page: number;
  bytes: number;
  /** Pixels. */
  width: number;
  height: number;
  words?: PageWord[];
}

export interface PagePictures {
  /** The pages in the file at `target`, with the bytes of each. */
  drawn: DrawnPicture[];
  /** Pages that are not blank and were not drawn: too many, or too slow. */
  left: number[];
  /** Whether too many documents wait, so that nothing was drawn. */
  isBusy?: boolean;
}

/** `unavailable`: the image library cannot be loaded. `unreadable`: the PDF cannot be opened. */
export type PictureResult = PagePictures | { problem: 'unavailable' | 'unreadable'; reason: string };
