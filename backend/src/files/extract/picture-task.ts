/** Draws pages of the PDF at `path` and writes the pictures, JPEGs, one after another to a new file at `target`. */
export interface PictureTask {
  path: string;
  target: string;
  /** Pages that have no text, from 1, in order. Blank ones are left out. */
  pages: number[];
  /** Pictures at most. */
  most: number;
}

export interface PagePictures {
  /** The pages in the file at `target`, with the bytes of each. */
  drawn: { page: number; bytes: number }[];
  /** Pages that are not blank and were not drawn: too many, or too slow. */
  left: number[];
  /** Whether too many documents wait, so that nothing was drawn. */
  isBusy?: boolean;
}

/** `unavailable`: the image library cannot be loaded. `unreadable`: the PDF cannot be opened. */
export type PictureResult = PagePictures | { problem: 'unavailable' | 'unreadable'; reason: string };
