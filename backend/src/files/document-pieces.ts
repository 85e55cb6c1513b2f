import type { Section } from './formats/sections.js';
import { inSlices } from '../platform/system/slices.js';

/** A page that a model sees. Its text, such as the stamp of a scanner, is mostly empty. */
export interface SeenPage {
  label: string;
  text: string;
  dataUrl: string;
}

/** A piece of a document as a model reads it: text with the labels of its sections, or a page. */
export type DocumentPiece = string | SeenPage;

export interface ModelDocument {
  name: string;
  /** In the order of the document. */
  pieces: DocumentPiece[];
  /** Pages that say more than their text, those among `pieces` included. */
  textless: number;
}

/** A section as models read it, with its place, so that an answer can name it. */
export const labelled = ({ label, text }: Pick<Section, 'label' | 'text'>): string =>
  [label === '' ? '' : `[${label}]`, text].filter(Boolean).join('\n');

/**
 * @param fallback stands for the text of a document that has none; '' for nothing
 * @param pictures the bytes of the first pictures, one after another
 */
export async function toModelDocument(
  name: string,
  sections: readonly Section[],
  fallback: string,
  pictures: Buffer,
): Promise<ModelDocument> {
  const pieces: DocumentPiece[] = [];
  let texts: string[] = [];
  let unread: string[] = [];
  let at = 0;
  const flushUnread = (): void => {
    if (unread.length > 0) texts.push(noText(unread));
    unread = [];
  };
  const flush = (): void => {
    flushUnread();
    if (texts.length > 0) pieces.push(texts.join('\n\n'));
    texts = [];
  };
  for await (const { label, text, kind, picture } of inSlices(sections)) {
    const end = at + (picture ?? 0);
    if (picture && end <= pictures.length) {
      flush();
      pieces.push({ label, text, dataUrl: `data:image/jpeg;base64,${pictures.toString('base64', at, end)}` });
    } else if (kind === 'page' && text === '') unread.push(label);
    else {
      flushUnread();
      texts.push(labelled({ label, text }));
    }
    at = end;
  }
  flush();
  if (pieces.length === 0 && fallback !== '') pieces.push(fallback);
  return { name, pieces, textless: sections.filter(({ picture }) => typeof picture === 'number').length };
}

/** Neighbouring pages without text and without a picture, so that a model does not guess at them. */
export function noText(labels: readonly string[]): string {
  const [first, last] = [labels[0]!, labels.at(-1)!];
  return labels.length === 1
    ? `[${first}]\n(This page has no text.)`
    : `[${first}] to [${last}]\n(These ${labels.length} pages have no text.)`;
}
