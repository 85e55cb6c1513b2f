import { annotationsOf, drawnTexts } from './pdf-annotations.js';
import { withoutHiddenLayers } from './layers.js';
import { inLines } from './lines.js';
import { Pdf } from './pdfium.js';
import { inWritingOrder } from './right-to-left.js';
import { withRaisedDigits } from './superscripts.js';
import { withShownSymbols } from './symbols.js';
import { MAX_SECTIONS, pageLabel, type SectionCollector } from '../sections.js';
import { decodeXml, readXml } from '../xml.js';

/** Pages whose lack of text is reported: far more than are sent as pictures. */
const MAX_TEXTLESS = 2_000;

/** Characters of the name of a page. */
const MAX_PAGE_NAME = 20;

/** A page with fewer visible characters below a picture is a scan: the text is a stamp of the scanner. */
const STAMP_CHARACTERS = 60;

/** Share of the page that the picture of a scan covers. */
const SCAN_SHARE = 0.5;

/** Share of characters without a meaning, from which a font has no map of its characters. */
const UNMAPPED_SHARE = 0.3;

/** `FPDFPageObj_GetType` of a picture, and of a form, which holds other objects. */
const IMAGE = 3;
const FORM = 5;

/** Objects of a page that are looked at. */
const MAX_OBJECTS = 200;

/**
 * The first pages are kept one by one: each page may exhaust the reader. Further ones are kept after this time, ms, and
 * after so many times of what the last one took, as long texts take longer.
 */
const KEPT_PAGES = 20;
const KEEP_MS = 100;
const KEEP_SHARE = 20;

/** Makes annotations part of their page as they are shown, which its text has when it is loaded again (`fpdf_flatten.h`). */
const FLATTEN_FOR_DISPLAY = 0;
const FLATTENED = 1;

const UTF16_BYTES = 2;

/**
 * Reads the pages with their notes and form fields. PDFium has the predefined CMaps of East Asian fonts. Scripts in a PDF
 * are not run, and its links are not fetched.
 * @param keep keeps what is read so far
 */
export async function readPdf(bytes: Buffer, out: SectionCollector, keep: () => Promise<void>): Promise<void> {
  const pdf = await Pdf.open(bytes);
  const textless: number[] = [];
  out.facts.pages = pdf.pageCount;
  out.facts.textless = textless;
  const names = pageNames(pdf);
  if (names.some((name) => name !== '')) out.facts.pageNames = names;
  let nextKeep = 0;
  for (let index = 0; index < pdf.pageCount && !out.isFull; index++) {
    out.facts.pagesLeft = pdf.pageCount - index;
    const start = performance.now();
    if (index < KEPT_PAGES || start > nextKeep) {
      await keep();
      const end = performance.now();
      nextKeep = end + Math.max(KEEP_MS, KEEP_SHARE * (end - start));
    }
    const { text, isPicture } = readPage(pdf, index);
    out.begin('page', pageLabel(index + 1, names[index]));
    if (isPicture && !out.isFull && textless.length < MAX_TEXTLESS) textless.push(index + 1);
    out.add(text);
  }
  delete out.facts.pagesLeft;
  const form = formText(pdf);
  if (form !== '') {
    out.begin('part', 'form data');
    out.add(form);
  }
  for (const { name, load } of pdf.attachments()) out.embed(load, name, '');
}

/** The names of the first pages; '' for a page without one. */
const pageNames = (pdf: Pdf): string[] =>
  Array.from({ length: Math.min(pdf.pageCount, MAX_SECTIONS) }, (_, index) =>
    pdf.pageName(index).replace(/\s+/g, ' ').trim().slice(0, MAX_PAGE_NAME).toWellFormed(),
  );

/** The part of a form in XML with its values. A form in one piece has one part without a name. */
const FORM_DATA = ['datasets', ''];

/** The values of a form in XML (XFA), which pages of such a document do not show: `name: value`. */
function formText(pdf: Pdf): string {
  const data = pdf.formPart(FORM_DATA);
  if (data === null) return '';
  const lines: string[] = [];
  let value = '';
  let isData = false;
  try {
    readXml(decodeXml(data), {
      open({ name }) {
        value = '';
        if (name === 'datasets') isData = true;
      },
      text(text) {
        value += text;
      },
      close(name) {
        if (isData && value.trim() !== '') lines.push(`${name}: ${value.trim()}`);
        if (name === 'datasets') isData = false;
        value = '';
      },
    });
  } catch {
    // A broken form keeps its beginning.
  }
  return lines.join('\n');
}

interface PageText {
  text: string;
  /** Whether the page says more as a picture. */
  isPicture: boolean;
}

const UNREADABLE: PageText = { text: '', isPicture: false };

/** @param index from 0 */
function readPage(pdf: Pdf, index: number): PageText {
  const read = pdf.withPage(index, (page) => {
    const own = meaningful(withoutPairs(textOf(pdf, page)));
    const isShort = (own ?? '').replace(/\s+/g, '').length < STAMP_CHARACTERS;
    const annotations = annotationsOf(pdf, page);
    const isFlattened = pdf.library.FPDFPage_Flatten(page, FLATTEN_FOR_DISPLAY) === FLATTENED;
    return { own, isScan: isShort && hasScan(pdf, page), annotations, isFlattened };
  });
  if (read === null) return UNREADABLE;
  const { own, isScan, annotations, isFlattened } = read;
  const drawn = isFlattened ? pdf.withPage(index, (page) => drawnTexts(pdf, page, annotations)) : null;
  const lines = new Set(annotations.map((annotation, place) => annotation.lineWith(drawn?.[place] ?? '')));
  const text = [own ?? '', ...lines].filter(Boolean).join('\n');
  return { text, isPicture: isScan || own === null || !/\S/.test(text) };
}

/** A text; null for one whose fonts have no map of their characters. */
function meaningful(text: string): string | null {
  const visible = text.replace(/\s+/g, '');
  const unmapped = visible.match(/[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu)?.length ?? 0;
  return unmapped > visible.length * UNMAPPED_SHARE ? null : text;
}

/** Letters of UTF-8 in two bytes, each pair as one character, and all that look like them. */
const PAIR =
  /[\uc280-\uc2bf\uc380-\uc3bf\uc480-\uc4bf\uc580-\uc5bf\uce80-\ucebf\ucf80-\ucfbf\ud080-\ud0bf\ud180-\ud1bf]/g;
const SYLLABLE = /[\uac00-\ud7a3]/g;

/** Letters from which a page is not Korean, if all of its syllables are such pairs: one of ten is by chance. */
const LEAST_PAIRS = 8;

/** Some programs write UTF-8 into the maps of fonts, so that a page in Russian or German has Korean syllables. */
function withoutPairs(text: string): string {
  const count = text.match(SYLLABLE)?.length ?? 0;
  if (count < LEAST_PAIRS || text.match(PAIR)?.length !== count) return text;
  return text.replace(PAIR, (pair) => {
    const code = pair.charCodeAt(0);
    return Buffer.from([code >> 8, code & 0xff]).toString();
  });
}

/** Whether pictures cover most of a page: scanners write one, strips of it, or a form that holds it. */
function hasScan(pdf: Pdf, page: number): boolean {
  const { library } = pdf;
  const area = library.FPDF_GetPageWidthF(page) * library.FPDF_GetPageHeightF(page);
  const count = Math.min(library.FPDFPage_CountObjects(page), MAX_OBJECTS);
  let covered = 0;
  for (let index = 0; index < count; index++) {
    const object = library.FPDFPage_GetObject(page, index);
    if (isPicture(pdf, object)) covered += areaOf(pdf, object);
  }
  return covered > area * SCAN_SHARE;
}

function isPicture({ library }: Pdf, object: number): boolean {
  const type = library.FPDFPageObj_GetType(object);
  if (type !== FORM) return type === IMAGE;
  const count = Math.min(library.FPDFFormObj_CountObjects(object), MAX_OBJECTS);
  const types = Array.from({ length: count }, (_, index) =>
    library.FPDFPageObj_GetType(library.FPDFFormObj_GetObject(object, index)),
  );
  return types.includes(IMAGE);
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

/** How PDFium marks a hyphen at the end of a line. */
const HYPHENS = ['\u0002', '\ufffe'];
const HYPHEN = new RegExp(`[${HYPHENS.join('')}]\\n?`, 'g');

/** What stands around a hyphen that is more than the end of a line: `cost-Benefit`, but not `INTER-NATIONAL`. */
const LOWER_BEFORE = /\p{Ll}$/u;
const UPPER_AFTER = /^\p{Lu}/u;
const NAME_AFTER = /^\p{Lu}\p{Ll}/u;

/** Characters around a hyphen that are looked at. */
const AROUND = 4;

/** A text without the hyphens at the ends of lines, with those that fonts have as soft ones: a page shows all of them. */
const withoutHyphens = (text: string): string =>
  text
    .replace(HYPHEN, (mark, at: number) => {
      const after = text.slice(at + mark.length, at + mark.length + AROUND);
      const isOwn =
        NAME_AFTER.test(after) || (UPPER_AFTER.test(after) && LOWER_BEFORE.test(text.slice(Math.max(0, at - 1), at)));
      return isOwn ? '-' : '';
    })
    .replaceAll('\u00ad', '-');

/** PDFium counts a character of two units once, so that places do not fit. */
const SURROGATE = /[\ud800-\udfff]/;

/** What PDFium does not get from the places and fonts of letters. All but the last one keep each character at its place. */
const asWritten = (pdf: Pdf, page: number, text: number, read: string): string =>
  SURROGATE.test(read)
    ? read
    : inLines(
        pdf,
        page,
        text,
        inWritingOrder(pdf, text, withRaisedDigits(pdf, text, withShownSymbols(pdf, text, read))),
      );

/** A text without the blanks that are left where others stood on layers that are not shown. */
const withoutGaps = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter(Boolean)
    .join('\n');

/** The text of a page without line breaks inside of hyphenated words. Texts on layers that are not shown stand below it. */
function textOf(pdf: Pdf, page: number): string {
  const { library } = pdf;
  return pdf.withText(page, (text) => {
    const count = library.FPDFText_CountChars(text);
    if (count <= 0) return '';
    const read = pdf.withMemory((count + 1) * UTF16_BYTES, (at) => {
      const written = library.FPDFText_GetText(text, 0, count, at);
      return pdf.memory(at, Math.max(0, written - 1) * UTF16_BYTES).toString('utf16le');
    });
    const isPlaced = !SURROGATE.test(read);
    const { shown, hidden } = isPlaced ? withoutHiddenLayers(pdf, page, text, read) : { shown: read, hidden: [] };
    const lines = withoutHyphens(asWritten(pdf, page, text, shown).replaceAll('\r\n', '\n'));
    const ofLayers = [...hidden].map(
      ([layer, words]) => `[hidden layer ${JSON.stringify(layer)}: ${words.replace(/\s+/g, ' ').trim()}]`,
    );
    return ofLayers.length === 0 ? lines : [withoutGaps(lines), ...ofLayers].join('\n');
  });
}
