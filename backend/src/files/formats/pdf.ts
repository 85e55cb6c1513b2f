import { Pdf } from './pdfium.js';
import { pageLabel, type SectionCollector } from './sections.js';

/** Pages whose lack of text is reported: far more than are sent as pictures. */
const MAX_TEXTLESS = 2_000;

/** A page with fewer visible characters below a picture is a scan: the text is a stamp of the scanner. */
const STAMP_CHARACTERS = 60;

/** Share of the page that the picture of a scan covers. */
const SCAN_SHARE = 0.5;

/** Share of characters without a meaning, from which a font has no map of its characters. */
const UNMAPPED_SHARE = 0.3;

/** `FPDFPageObj_GetType` of a picture. */
const IMAGE = 3;

/** Objects of a page that are looked at. */
const MAX_OBJECTS = 200;

/** Subtypes of annotations (`fpdf_annot.h`). */
const POPUP = 16;
const WIDGET = 20;

/** Types of form fields (`fpdf_formfill.h`). */
const FIELD = { pushButton: 1, checkbox: 2, radio: 3, signature: 7 } as const;

const UTF16_BYTES = 2;

/**
 * Reads the pages with their notes and form fields. PDFium has the predefined CMaps of East Asian fonts. Scripts in a PDF
 * are not run, and its links are not fetched.
 */
export async function readPdf(bytes: Buffer, out: SectionCollector): Promise<void> {
  const pdf = await Pdf.open(bytes);
  const textless: number[] = [];
  out.facts.pages = pdf.pageCount;
  for (let index = 0; index < pdf.pageCount && !out.isFull; index++) {
    const { text, isPicture } = pdf.withPage(index, (page) => readPage(pdf, page)) ?? UNREADABLE;
    if (isPicture && textless.length < MAX_TEXTLESS) textless.push(index + 1);
    out.begin('page', pageLabel(index + 1));
    out.add(text);
  }
  out.facts.textless = textless;
}

interface PageText {
  text: string;
  /** Whether the page says more as a picture. */
  isPicture: boolean;
}

const UNREADABLE: PageText = { text: '', isPicture: false };

function readPage(pdf: Pdf, page: number): PageText {
  const own = textOf(pdf, page);
  const visible = own.replace(/\s+/g, '');
  const unmapped = visible.match(/[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu)?.length ?? 0;
  const isUnmapped = unmapped > visible.length * UNMAPPED_SHARE;
  const text = [isUnmapped ? '' : own, annotationsOf(pdf, page)].join('\n');
  const isShort = text.replace(/\s+/g, '').length < STAMP_CHARACTERS;
  return { text, isPicture: !/\S/.test(text) || isUnmapped || (isShort && hasScan(pdf, page)) };
}

/** Whether a picture covers most of a page. */
function hasScan(pdf: Pdf, page: number): boolean {
  const { library } = pdf;
  const area = library.FPDF_GetPageWidthF(page) * library.FPDF_GetPageHeightF(page);
  const count = Math.min(library.FPDFPage_CountObjects(page), MAX_OBJECTS);
  for (let index = 0; index < count; index++) {
    const object = library.FPDFPage_GetObject(page, index);
    if (library.FPDFPageObj_GetType(object) === IMAGE && areaOf(pdf, object) > area * SCAN_SHARE) return true;
  }
  return false;
}

const FLOAT_BYTES = 4;

function areaOf(pdf: Pdf, object: number): number {
  return pdf.withMemory(4 * FLOAT_BYTES, (at) => {
    const [left, bottom, right, top] = [0, 1, 2, 3].map((index) => at + index * FLOAT_BYTES) as [
      number,
      number,
      number,
      number,
    ];
    if (!pdf.library.FPDFPageObj_GetBounds(object, left, bottom, right, top)) return 0;
    const bounds = pdf.memory(at, 4 * FLOAT_BYTES);
    const edge = (index: number) => bounds.readFloatLE(index * FLOAT_BYTES);
    return (edge(2) - edge(0)) * (edge(3) - edge(1));
  });
}

const HYPHENS = ['\u0002', '\ufffe'];

/** The text of a page without line breaks inside of hyphenated words, which PDFium marks with U+0002. */
function textOf(pdf: Pdf, page: number): string {
  const { library } = pdf;
  const text = library.FPDFText_LoadPage(page);
  if (text === 0) return '';
  try {
    const count = library.FPDFText_CountChars(text);
    if (count <= 0) return '';
    const read = pdf
      .withMemory((count + 1) * UTF16_BYTES, (at) => {
        const written = library.FPDFText_GetText(text, 0, count, at);
        return pdf.memory(at, Math.max(0, written - 1) * UTF16_BYTES).toString('utf16le');
      })
      .replaceAll('\r\n', '\n');
    return HYPHENS.reduce((whole, mark) => whole.replaceAll(`${mark}\n`, '').replaceAll(mark, ''), read);
  } finally {
    library.FPDFText_ClosePage(text);
  }
}

/** Notes and form fields of a page, a line each. */
function annotationsOf(pdf: Pdf, page: number): string {
  const { library } = pdf;
  const lines = new Set<string>();
  const count = library.FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index++) {
    const annotation = library.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = library.FPDFAnnot_GetSubtype(annotation);
    const line = subtype === WIDGET ? fieldOf(pdf, annotation) : noteOf(pdf, annotation, subtype);
    if (line !== '') lines.add(line);
    library.FPDFPage_CloseAnnot(annotation);
  }
  return [...lines].join('\n');
}

/** The text of a note; of a popup, its parent has it. */
function noteOf(pdf: Pdf, annotation: number, subtype: number): string {
  if (subtype === POPUP) return '';
  const contents = pdf.text((at, size) => pdf.library.FPDFAnnot_GetStringValue(annotation, 'Contents', at, size));
  return contents.trim() === '' ? '' : `[note: ${contents}]`;
}

/** A form field with its value: `Name: Jane`, `[x] Yes`. A field without a value has none. */
function fieldOf(pdf: Pdf, annotation: number): string {
  const { library, form } = pdf;
  const name =
    pdf.text((at, size) => library.FPDFAnnot_GetFormFieldAlternateName(form, annotation, at, size)) ||
    pdf.text((at, size) => library.FPDFAnnot_GetFormFieldName(form, annotation, at, size));
  const type = library.FPDFAnnot_GetFormFieldType(form, annotation);
  if (type === FIELD.signature || type === FIELD.pushButton) return '';
  if (type === FIELD.checkbox || type === FIELD.radio) {
    const value = pdf.text((at, size) => library.FPDFAnnot_GetFormFieldExportValue(form, annotation, at, size));
    const label = [name, value].filter(Boolean).join(': ');
    return `${library.FPDFAnnot_IsChecked(form, annotation) ? '[x]' : '[ ]'} ${label}`;
  }
  const value =
    pdf.text((at, size) => library.FPDFAnnot_GetFormFieldValue(form, annotation, at, size)) ||
    chosenOptions(pdf, annotation);
  return value === '' ? '' : `${name}: ${value}`;
}

/** The chosen options of a list. */
function chosenOptions(pdf: Pdf, annotation: number): string {
  const { library, form } = pdf;
  const count = library.FPDFAnnot_GetOptionCount(form, annotation);
  const chosen: string[] = [];
  for (let index = 0; index < count; index++) {
    if (!library.FPDFAnnot_IsOptionSelected(form, annotation, index)) continue;
    chosen.push(pdf.text((at, size) => library.FPDFAnnot_GetOptionLabel(form, annotation, index, at, size)));
  }
  return chosen.join(', ');
}
