import type { Pdf } from './pdfium.js';
import { addressBehind } from '../text/links.js';

/** Subtypes of annotations (`fpdf_annot.h`). */
const LINK = 2;
const POPUP = 16;
const WIDGET = 20;

/** Those that draw text of their own: free text, stamps and fields. Others lie on the text of the page. */
const DRAWS_TEXT = new Set([3, 13, WIDGET]);

/** Types of form fields (`fpdf_formfill.h`). */
const FIELD = { pushButton: 1, checkbox: 2, radio: 3, list: 5, signature: 7 } as const;

/** Annotations of one page that are read, and options of one list. */
const MAX_ANNOTATIONS = 2_000;
const MAX_OPTIONS = 200;

/** Links of one page that are read, and characters that are looked at for the texts of all of them. */
const MAX_LINKS = 500;
const MAX_LINK_CHARACTERS = 20_000_000;

const FLOAT_BYTES = 4;
const UTF16_BYTES = 2;

/** A note or form field of a page. */
export interface Annotation {
  /** Left, top, right and bottom, in points from the lower left corner; empty for one that draws no text. */
  rectangle: readonly number[];
  /** The text of the page below it. */
  below: string;
  /** What it says, with the text that it draws; '' for nothing. */
  lineWith: (drawn: string) => string;
}

/** The annotations of a page, which may be flattened after it. */
export function annotationsOf(pdf: Pdf, page: number): Annotation[] {
  const { library } = pdf;
  const count = Math.min(library.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  if (count <= 0) return [];
  return pdf.withText(page, (text) => {
    const annotations: Annotation[] = [];
    const links = new Links(pdf, text);
    for (let index = 0; index < count; index++) {
      const annotation = library.FPDFPage_GetAnnot(page, index);
      if (annotation === 0) continue;
      const subtype = library.FPDFAnnot_GetSubtype(annotation);
      const rectangle = DRAWS_TEXT.has(subtype) ? rectangleOf(pdf, annotation) : [];
      const lineWith =
        subtype === WIDGET
          ? fieldOf(pdf, annotation)
          : subtype === LINK
            ? links.add(annotation)
            : noteOf(pdf, annotation, subtype);
      annotations.push({ rectangle, below: textIn(pdf, text, rectangle), lineWith });
      library.FPDFPage_CloseAnnot(annotation);
    }
    return annotations;
  });
}

/** The texts that annotations draw, by their index, from their page after it has been flattened and loaded again. */
export function drawnTexts(pdf: Pdf, page: number, annotations: readonly Annotation[]): string[] {
  return pdf.withText(page, (text) =>
    annotations.map(({ rectangle, below }) => {
      const shown = textIn(pdf, text, rectangle);
      return (shown.startsWith(below) ? shown.slice(below.length) : shown).trim();
    }),
  );
}

/** Points around its text that a link has, which reach into the letters beside it. */
const MARGIN = 1.5;

function inner([left = 0, top = 0, right = 0, bottom = 0]: readonly number[]): number[] {
  const x = right - left > 3 * MARGIN ? MARGIN : 0;
  const y = top - bottom > 3 * MARGIN ? MARGIN : 0;
  return [left + x, top - y, right - x, bottom + y];
}

/** Letters of a word that a link may begin in. */
const MAX_WORD = 50;

/** A text with the rest of its first and its last word, as it stands on its page. */
function inWholeWords(text: string, page: string): string {
  const at = text === '' ? -1 : page.indexOf(text);
  if (at < 0) return text;
  const before =
    page
      .slice(Math.max(0, at - MAX_WORD), at)
      .split(/\s/)
      .at(-1) ?? '';
  const after = page.slice(at + text.length, at + text.length + MAX_WORD).split(/\s/, 1)[0] ?? '';
  return before + text + after;
}

/** The links of a page. One that goes on in the next line is two of them. */
class Links {
  private last: { address: string; text: string } | null = null;
  private left: number;
  private readonly count: number;
  private page: string | null = null;

  constructor(
    private readonly pdf: Pdf,
    private readonly text: number,
  ) {
    this.count = text === 0 ? 0 : Math.max(0, pdf.library.FPDFText_CountChars(text));
    this.left = Math.min(MAX_LINKS, Math.floor(MAX_LINK_CHARACTERS / (this.count + 1)));
  }

  /** @returns the line of a link with its text; '' where the page shows where it leads */
  add(annotation: number): Annotation['lineWith'] {
    this.left -= 1;
    const address = this.left < 0 ? '' : this.pdf.addressOf(annotation);
    if (address === '') return () => '';
    this.page ??= this.textOfPage();
    const found = textIn(this.pdf, this.text, inner(rectangleOf(this.pdf, annotation))).trim();
    const text = inWholeWords(found, this.page).replace(/\s+/g, ' ');
    if (this.last?.address === address) {
      this.last.text += ` ${text}`;
      return () => '';
    }
    const link = { address, text };
    this.last = link;
    return () => {
      const behind = addressBehind(link.text, address);
      return behind === '' ? '' : `[link: ${link.text.trim()}${behind}]`;
    };
  }

  private textOfPage(): string {
    const { pdf, text, count } = this;
    if (count === 0) return '';
    return pdf.withMemory((count + 1) * UTF16_BYTES, (at) => {
      const written = pdf.library.FPDFText_GetText(text, 0, count, at);
      return pdf
        .memory(at, Math.max(0, written - 1) * UTF16_BYTES)
        .toString('utf16le')
        .replaceAll('\r\n', '\n');
    });
  }
}

function rectangleOf(pdf: Pdf, annotation: number): number[] {
  return pdf.withMemory(4 * FLOAT_BYTES, (at) => {
    if (!pdf.library.FPDFAnnot_GetRect(annotation, at)) return [];
    const bytes = pdf.memory(at, 4 * FLOAT_BYTES);
    return [0, 1, 2, 3].map((index) => bytes.readFloatLE(index * FLOAT_BYTES));
  });
}

function textIn(pdf: Pdf, text: number, [left = 0, top = 0, right = 0, bottom = 0]: readonly number[]): string {
  if (text === 0 || left === right) return '';
  const count = pdf.library.FPDFText_GetBoundedText(text, left, top, right, bottom, 0, 0);
  if (count <= 0) return '';
  return pdf.withMemory(count * UTF16_BYTES, (at) => {
    const written = pdf.library.FPDFText_GetBoundedText(text, left, top, right, bottom, at, count);
    return pdf
      .memory(at, written * UTF16_BYTES)
      .toString('utf16le')
      .replaceAll('\0', '')
      .replaceAll('\r\n', '\n');
  });
}

/** A note: of a popup, its parent has the text. */
function noteOf(pdf: Pdf, annotation: number, subtype: number): Annotation['lineWith'] {
  if (subtype === POPUP) return () => '';
  const contents = pdf
    .text((at, size) => pdf.library.FPDFAnnot_GetStringValue(annotation, 'Contents', at, size))
    .trim();
  return (drawn) => {
    const text = contains(contents, drawn) ? contents : [contents, drawn].filter(Boolean).join(': ');
    return text === '' ? '' : `[note: ${text}]`;
  };
}

/** Whether a text has another one, which may have other spaces: fields wrap their values. */
const contains = (text: string, other: string): boolean => text.replace(/\s+/g, '').includes(other.replace(/\s+/g, ''));

/** A form field with its value as it is shown: `Name: Jane`, `[x] Yes`. A field without a value says nothing. */
function fieldOf(pdf: Pdf, annotation: number): Annotation['lineWith'] {
  const { library, form } = pdf;
  const name =
    pdf.text((at, size) => library.FPDFAnnot_GetFormFieldAlternateName(form, annotation, at, size)) ||
    pdf.text((at, size) => library.FPDFAnnot_GetFormFieldName(form, annotation, at, size));
  const type = library.FPDFAnnot_GetFormFieldType(form, annotation);
  if (type === FIELD.pushButton) return (drawn) => (drawn === '' ? '' : `[button: ${drawn}]`);
  if (type === FIELD.signature) return (drawn) => (drawn === '' ? '' : `[signature: ${drawn}]`);
  if (type === FIELD.checkbox || type === FIELD.radio) {
    const option = pdf.text((at, size) => library.FPDFAnnot_GetFormFieldExportValue(form, annotation, at, size));
    const label = [name, option].filter(Boolean).join(': ');
    const line = `${library.FPDFAnnot_IsChecked(form, annotation) ? '[x]' : '[ ]'} ${label}`;
    return () => line;
  }
  const { options, chosen } = optionsOf(pdf, annotation);
  const value =
    pdf.text((at, size) => library.FPDFAnnot_GetFormFieldValue(form, annotation, at, size)) || chosen.join(', ');
  if (type === FIELD.list) return () => `${name}: ${value} [of: ${options.join(', ')}]`;
  return (drawn) => {
    // What others draw on top of the field is not its value.
    const shown = contains(value, drawn) || (value !== '' && contains(drawn, value)) ? value : drawn;
    return shown === '' ? '' : `${name}: ${shown}`;
  };
}

function optionsOf(pdf: Pdf, annotation: number): { options: string[]; chosen: string[] } {
  const { library, form } = pdf;
  const count = Math.min(library.FPDFAnnot_GetOptionCount(form, annotation), MAX_OPTIONS);
  const options: string[] = [];
  const chosen: string[] = [];
  for (let index = 0; index < count; index++) {
    const label = pdf.text((at, size) => library.FPDFAnnot_GetOptionLabel(form, annotation, index, at, size));
    options.push(label);
    if (library.FPDFAnnot_IsOptionSelected(form, annotation, index)) chosen.push(label);
  }
  return { options, chosen };
}
