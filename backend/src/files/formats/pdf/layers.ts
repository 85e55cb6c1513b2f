import type { Pdf } from './pdfium.js';

/** What marks the objects of a layer ("optional content"), and where the layer has its name. */
const MARK = 'OC';
const NAME = 'Name';

/** Objects of one page that are looked at, and marks of one of them. */
const MAX_OBJECTS = 5_000;
const MAX_MARKS = 10;

/** Texts of a document that are drawn to see whether their layer is shown, and objects of a page that are left out then. */
const MAX_SAMPLES = 50;
const MAX_OTHERS = 50_000;

const NAME_BYTES = 400;
/** Of a length that PDFium writes. */
const NUMBER_BYTES = 4;

/** `FPDFPageObj_GetType` of a text. */
const TEXT = 1;

/** `FPDFTextObj_GetTextRenderMode` of letters that are never drawn, such as those behind a scan. */
const INVISIBLE = 3;

/** Pixels of the longer side of a page on which one text is drawn. */
const SIDE = 600;
const CHANNELS = 4;
const ALPHA = 3;

interface Marked {
  object: number;
  mark: number;
}

/** What is known of the layers of a document. */
interface Known {
  /** Whether they are shown, by their names: the same on all pages. */
  shown: Map<string, boolean>;
  /** Texts that were drawn for that, also in vain. */
  samples: number;
}

const knownOf = new WeakMap<Pdf, Known>();

/**
 * The text of a page with blanks in place of what stands on layers that are not shown, such as stamps, drafts and other
 * languages, and that text by its layer. PDFium reads all of them, and knows when it draws which are shown.
 * @param text handle of the text
 * @param read the text, each character at its place
 */
export function withoutHiddenLayers(
  pdf: Pdf,
  page: number,
  text: number,
  read: string,
): { shown: string; hidden: ReadonlyMap<string, string> } {
  const { library } = pdf;
  const hidden = new Map<string, string>();
  const layers = layersOf(pdf, page);
  const objects = new Map<number, string>();
  for (const [name, marked] of layers)
    if (!isShown(pdf, page, name, marked)) for (const { object } of marked) objects.set(object, name);
  if (objects.size === 0) return { shown: read, hidden };
  let shown = '';
  let layer: string | undefined;
  for (const [place, character] of [...read].entries()) {
    const index = library.FPDFText_GetCharIndexFromTextIndex(text, place);
    // Blanks and ends of lines belong to no object.
    if (/\S/.test(character)) layer = index < 0 ? undefined : objects.get(library.FPDFText_GetTextObject(text, index));
    if (layer === undefined) shown += character;
    else {
      hidden.set(layer, (hidden.get(layer) ?? '') + character);
      shown += /\s/.test(character) ? character : ' ';
    }
  }
  return { shown, hidden };
}

/** The texts of a page that stand on layers, by the names of these. */
function layersOf(pdf: Pdf, page: number): Map<string, Marked[]> {
  const { library } = pdf;
  const layers = new Map<string, Marked[]>();
  const count = Math.min(library.FPDFPage_CountObjects(page), MAX_OBJECTS);
  // Tagged documents mark each text, so one room for names serves all.
  pdf.withMemory(NAME_BYTES + NUMBER_BYTES, (room) => {
    for (let at = 0; at < count; at += 1) {
      const object = library.FPDFPage_GetObject(page, at);
      const marks = library.FPDFPageObj_GetType(object) === TEXT ? library.FPDFPageObj_CountMarks(object) : 0;
      for (let index = 0; index < Math.min(marks, MAX_MARKS); index += 1) {
        const mark = library.FPDFPageObj_GetMark(object, index);
        const layer = layerOf(pdf, mark, room);
        if (layer === '') continue;
        const marked = layers.get(layer) ?? [];
        marked.push({ object, mark });
        layers.set(layer, marked);
      }
    }
  });
  return layers;
}

/** Whether a layer is shown: whether a text on it is drawn, or is not drawn without its mark either. */
function isShown(pdf: Pdf, page: number, name: string, marked: readonly Marked[]): boolean {
  const known = knownOf.get(pdf) ?? { shown: new Map<string, boolean>(), samples: 0 };
  knownOf.set(pdf, known);
  const found = known.shown.get(name);
  if (found !== undefined) return found;
  const sample = marked.find(({ object }) => pdf.library.FPDFTextObj_GetTextRenderMode(object) !== INVISIBLE);
  if (sample === undefined || known.samples >= MAX_SAMPLES) return true;
  known.samples += 1;
  const isShownHere = isDrawn(pdf, page, sample.object);
  if (!isShownHere) {
    pdf.library.FPDFPageObj_RemoveMark(sample.object, sample.mark);
    // One that is out of the page tells nothing of its layer.
    if (!isDrawn(pdf, page, sample.object)) return true;
  }
  known.shown.set(name, isShownHere);
  return isShownHere;
}

function isDrawn(pdf: Pdf, page: number, object: number): boolean {
  const { library } = pdf;
  const [across, down] = [library.FPDF_GetPageWidthF(page), library.FPDF_GetPageHeightF(page)];
  const scale = SIDE / Math.max(across, down);
  const [width, height] = [across, down].map((points) => Math.max(1, Math.round(points * scale))) as [number, number];
  const count = library.FPDFPage_CountObjects(page);
  const bitmap = Number.isFinite(scale) && count <= MAX_OTHERS ? library.FPDFBitmap_Create(width, height, 1) : 0;
  if (bitmap === 0) return true;
  const others = Array.from({ length: count }, (_, at) => library.FPDFPage_GetObject(page, at)).filter(
    (one) => one !== object,
  );
  try {
    for (const other of others) library.FPDFPageObj_SetIsActive(other, false);
    library.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0);
    library.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0);
    const pixels = pdf.memory(library.FPDFBitmap_GetBuffer(bitmap), width * height * CHANNELS);
    for (let at = ALPHA; at < pixels.length; at += CHANNELS) if (pixels[at] !== 0) return true;
    return false;
  } finally {
    for (const other of others) library.FPDFPageObj_SetIsActive(other, true);
    library.FPDFBitmap_Destroy(bitmap);
  }
}

/** The name of the layer that a mark is for; '' for another mark. @param room for a name and its length */
function layerOf(pdf: Pdf, mark: number, room: number): string {
  const { library } = pdf;
  const length = room + NAME_BYTES;
  const isLayer = library.FPDFPageObjMark_GetName(mark, room, NAME_BYTES, length) && textIn(pdf, room) === MARK;
  return isLayer && library.FPDFPageObjMark_GetParamStringValue(mark, NAME, room, NAME_BYTES, length)
    ? textIn(pdf, room)
    : '';
}

/** A text in UTF-16 with its final NUL, and behind its room its length. A longer one has no room. */
function textIn(pdf: Pdf, room: number): string {
  const length = pdf.memory(room + NAME_BYTES, NUMBER_BYTES).readUInt32LE();
  return length < 2 || length > NAME_BYTES ? '' : pdf.memory(room, length - 2).toString('utf16le');
}
