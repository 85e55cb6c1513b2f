import { type DocumentPiece, labelled, type ModelDocument, noText } from '../../../files/document-pieces.js';
import type { ProviderPart } from '../../../providers/provider.js';
import { estimateTokens } from '../../../providers/token-estimate.js';
import { markFor, quote } from './system-text.js';
import { CUT_MARK, cutWithMark, fairShare } from './tokens.js';

interface QuotedDocuments {
  /** The text of the message, with the documents below it and their pages in their places. */
  parts: ProviderPart[];
  /** Documents of which a part is left out. */
  cut: number;
  omitted: number;
}

/** A document as one text, with the places of its pages. */
interface Composed {
  name: string;
  text: string;
  /** What its quotation begins and ends with. */
  mark: string;
  /** `at`: the end of the page's label and text. */
  pictures: { at: number; label: string; dataUrl: string }[];
}

const labelOf = (name: string): string => `Attached document ${JSON.stringify(name)}`;

const headOf = (name: string, mark: string): string => `${labelOf(name)}:\n${mark}\n`;

const tailOf = (mark: string): string => `\n${mark}`;

/** A document of text alone, as models read it. */
export const quotedDocument = (name: string, text: string): string => quote(labelOf(name), text);

const overheadOf = (name: string, mark: string): number => estimateTokens(headOf(name, mark) + CUT_MARK + tailOf(mark));

const LABEL_TOKENS = estimateTokens('\n\n[page 1000]\n\n');

/** The pages of a document that are read as pictures. */
export const picturesIn = ({ pieces }: ModelDocument): number =>
  pieces.filter((piece) => typeof piece !== 'string').length;

/** The least tokens of a document beside its pictures: its name, and the labels of its pages. */
export const frameTokens = (document: ModelDocument): number =>
  overheadOf(document.name, compose(document, 0).mark) + document.pieces.length * LABEL_TOKENS;

/**
 * Adds documents below a text within a number of tokens. The longest documents are cut first, to the same length each.
 * Documents whose quotation alone does not fit beside those before them are omitted, unless pages of them are sent.
 * @param pictures the most pages that are sent as pictures; they are not counted in `tokens`
 */
export function withDocuments(
  text: string,
  documents: readonly ModelDocument[],
  tokens: number,
  pictures = 0,
): QuotedDocuments {
  const kept: Composed[] = [];
  let room = tokens;
  let left = pictures;
  for (const document of documents) {
    const composed = compose(document, left);
    const overhead = overheadOf(composed.name, composed.mark);
    if (overhead > room && composed.pictures.length === 0) continue;
    room -= overhead + composed.pictures.length * LABEL_TOKENS;
    left -= composed.pictures.length;
    kept.push(composed);
  }
  const share = fairShare(
    kept.map((document) => estimateTokens(document.text)),
    Math.max(room, 0),
  );
  let cut = 0;
  const parts = new Parts();
  parts.addText(text);
  for (const document of kept) {
    const shown = cutWithMark(document.text, share);
    if (shown !== document.text) cut += 1;
    if (!parts.isEmpty) parts.addText('\n\n');
    addQuoted(parts, document, shown);
  }
  return { parts: parts.all, cut, omitted: documents.length - kept.length };
}

/** @param left the pages that may be sent as pictures; the others are named as pages without text */
function compose({ name, pieces }: ModelDocument, left: number): Composed {
  const composed: Composed = { name, text: '', mark: '', pictures: [] };
  const add = (text: string) => (composed.text += composed.text === '' ? text : `\n\n${text}`);
  for (const piece of pieces) {
    if (typeof piece === 'string') add(piece);
    else if (composed.pictures.length >= left) add(textOf(piece));
    else {
      add(labelled(piece));
      composed.pictures.push({ at: composed.text.length, label: piece.label, dataUrl: piece.dataUrl });
    }
  }
  return { ...composed, mark: markFor(composed.text) };
}

const textOf = (page: Exclude<DocumentPiece, string>): string =>
  page.text === '' ? noText([page.label]) : labelled(page);

/** Pages behind the cut follow it, each below its label. @param shown the text of the document, cut */
function addQuoted(parts: Parts, { name, text, mark, pictures }: Composed, shown: string): void {
  const end = shown === text ? text.length : shown.length - CUT_MARK.length;
  parts.addText(headOf(name, mark));
  let at = 0;
  for (const picture of pictures.filter((each) => each.at <= end)) {
    parts.addText(text.slice(at, picture.at));
    parts.addPicture(picture.dataUrl);
    at = picture.at;
  }
  parts.addText(text.slice(at, end) + shown.slice(end));
  for (const picture of pictures.filter((each) => each.at > end)) {
    parts.addText(`\n\n[${picture.label}]`);
    parts.addPicture(picture.dataUrl);
  }
  parts.addText(tailOf(mark));
}

/** The parts of a message, neighbouring texts joined. */
class Parts {
  readonly all: ProviderPart[] = [];

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  addText(text: string): void {
    if (text === '') return;
    const last = this.all.at(-1);
    if (last?.type === 'text') last.text += text;
    else this.all.push({ type: 'text', text });
  }

  addPicture(dataUrl: string): void {
    this.all.push({ type: 'image', dataUrl });
  }
}
