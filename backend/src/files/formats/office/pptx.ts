import { drawingText } from './drawings.js';
import { metafileText } from './drawn/metafile.js';
import type { OfficePackage } from './package.js';
import { addComments, authorsOf } from './pptx-comments.js';
import { ShapeParagraphs } from './pptx-paragraph.js';
import { ExtractionError, type SectionCollector } from '../sections.js';
import { addressBehind } from '../text/links.js';
import { isOn, readXml, readXmlBytes } from '../xml.js';

/** Placeholders of notes that repeat the slide or number it. */
const NOTE_FRAME = new Set(['sldImg', 'sldNum', 'hdr', 'ftr', 'dt']);

/** A shape that is open. */
interface Shape {
  lines: string[];
  placeholder: string | null;
  /** Where a click on it leads. */
  address: string;
  /** Whether its author has hidden it. */
  isHidden: boolean;
}

function textOf({ lines, address, isHidden }: Shape): string {
  const text = lines.filter((line) => line !== '').join('\n');
  const shown = text + addressBehind(text, address);
  return isHidden && shown !== '' ? `[hidden: ${shown}]` : shown;
}

interface Shapes {
  text: string;
  isHidden: boolean;
}

/** Reads the slides in the order in which they are shown, each with its notes and comments, and the text of their masters. */
export function readPptx(office: OfficePackage, out: SectionCollector): void {
  const { main } = office;
  if (main === undefined) throw new ExtractionError('broken');
  const masters = new Map<string, string>();
  let number = 0;
  const { slides, first, parts } = slidesOf(office, main);
  const authors = authorsOf(office, main);
  for (const slide of slides) {
    number += 1;
    if (out.isFull) return;
    readSlide(office, slide, { number, shown: String(first + number - 1), part: parts.get(slide) ?? '' }, out);
    addComments(office, slide, authors, out);
    for (const layout of office.targets(slide, 'slideLayout')) {
      for (const part of [layout, ...office.targets(layout, 'slideMaster')]) {
        if (!masters.has(part)) masters.set(part, shapesOf(office, part, (type) => type === null).text.trim());
      }
    }
  }
  const texts = [...new Set(masters.values())].filter(Boolean);
  if (texts.length === 0) return;
  out.begin('part', 'on the slide masters');
  out.add(texts.join('\n'));
}

/** The element of a slide in its list, which has a number and a relationship of the same name. */
const SLIDE = /<(?:\w+:)?sldId\s[^<>]*>/g;

interface Slides {
  /** Paths in their order. */
  slides: string[];
  /** The number of the first one. */
  first: number;
  /** Names of the sections of the presentation, by their first slide. */
  parts: ReadonlyMap<string, string>;
}

function slidesOf(office: OfficePackage, main: string): Slides {
  const slides: string[] = [];
  const xml = office.xml(main);
  const byNumber = new Map<string, string>();
  for (const [slide] of xml.matchAll(SLIDE)) {
    const target = office.target(main, /\s\w+:id\s*=\s*["']([^"']+)/.exec(slide)?.[1]);
    if (target !== undefined) byNumber.set(/\sid\s*=\s*["'](\d+)/.exec(slide)?.[1] ?? '', target);
  }
  const parts = new Map<string, string>();
  let part = '';
  let first = 1;
  readXml(xml, {
    open({ name, attributes }) {
      if (name === 'section') part = attributes.name ?? '';
      if (name === 'presentation') first = Math.trunc(Number(attributes.firstSlideNum ?? 1)) || 0;
      if (name !== 'sldId') return;
      const begun = part === '' ? undefined : byNumber.get(attributes.id ?? '');
      if (begun !== undefined) {
        parts.set(begun, part);
        part = '';
      }
      // `id` is the slide's own number, `r:id` its relationship; without prefixes the last one counts.
      const target = office.target(main, attributes.id);
      if (target !== undefined && office.bytes(target) !== undefined) slides.push(target);
    },
  });
  return { slides, first, parts };
}

interface SlidePlace {
  number: number;
  /** The number in its own fields. */
  shown: string;
  /** The section of the presentation that it begins; '' for none. */
  part: string;
}

function readSlide(
  office: OfficePackage,
  slide: string,
  { number, shown, part }: SlidePlace,
  out: SectionCollector,
): void {
  const { text, isHidden } = shapesOf(office, slide, () => true, shown);
  out.begin('slide', `slide ${number}${isHidden ? ', hidden' : ''}`);
  if (part !== '') out.add(`Section: ${part}\n`);
  out.add(text);
  const embedded = office.embeddedFiles(slide);
  for (const file of embedded) out.embed(file);
  // A document that is not in the file is shown by its picture.
  if (embedded.length === 0) out.add(drawnText(office, slide));
  for (const notes of office.targets(slide, 'notesSlide')) {
    const note = shapesOf(office, notes, (type) => type === null || !NOTE_FRAME.has(type)).text.trim();
    if (note !== '') out.add(`\nNotes:\n${note}\n`);
  }
}

/** The text of vector pictures, of which those of objects are in a drawing of their own. */
function drawnText(office: OfficePackage, slide: string): string {
  const parts = [slide, ...office.targets(slide, 'vmlDrawing')];
  const texts = parts
    .flatMap((part) => office.relationships(part))
    .filter(({ type, target }) => type === 'image' && /\.[ew]mf$/i.test(target))
    .map(({ target }) => metafileText(office.otherPart(target) ?? Buffer.alloc(0)));
  return [...new Set(texts)]
    .filter(Boolean)
    .map((text) => `\n[picture: ${text}]`)
    .join('');
}

/**
 * The text of a slide's shapes, tables, charts and diagrams.
 * @param isWanted by the type of a shape's placeholder; null for a shape that is none
 * @param number of the slide in its fields; '' for other parts
 */
function shapesOf(
  office: OfficePackage,
  path: string,
  isWanted: (placeholder: string | null) => boolean,
  number = '',
): Shapes {
  const lines: string[] = [];
  let isHidden = false;
  let shape: Shape | null = null;
  const paragraphs = new ShapeParagraphs(number, (id) => office.address(path, id));
  let cells: string[] | null = null;
  /** Whether each open group is hidden, the outer ones first. */
  const groups: boolean[] = [];
  let isGroupHead = false;
  let hadChoice = false;
  let fallbacks = 0;
  const target = () => shape?.lines ?? lines;
  readXmlBytes(office.bytes(path) ?? new Uint8Array(), {
    open(element) {
      const { name, attributes } = element;
      if (name === 'Fallback' && hadChoice) fallbacks += 1;
      if (fallbacks > 0) return;
      paragraphs.open(element);
      if (name === 'nvGrpSpPr') isGroupHead = true;
      if (name === 'txBody') paragraphs.restart();
      else if (name === 'grpSp') groups.push(groups.at(-1) === true);
      else if (name === 'sld') isHidden = 'show' in attributes && !isOn(attributes.show);
      else if (name === 'sp' || name === 'cxnSp')
        shape = { lines: [], placeholder: null, address: '', isHidden: groups.at(-1) === true };
      else if (name === 'ph' && shape !== null) shape.placeholder = attributes.type ?? 'obj';
      else if (name === 'tr') cells = [];
      else if (name === 'tc') cells?.push('');
      else if (name === 'cNvPr') {
        const isHiddenShape = attributes.hidden !== undefined && isOn(attributes.hidden);
        if (isGroupHead) groups.splice(-1, 1, ...(groups.length > 0 ? [isHiddenShape || groups.at(-1) === true] : []));
        else if (shape !== null) shape.isHidden = isHiddenShape || groups.at(-1) === true;
        if (attributes.descr) lines.push(`[picture: ${attributes.descr}]`);
      } else if (name === 'hlinkClick' && shape !== null && !paragraphs.isInRun)
        shape.address = office.address(path, attributes.id) ?? '';
      else if (name === 'chart') lines.push(drawingText(office, path, attributes.id));
      else if (name === 'relIds') lines.push(drawingText(office, path, attributes.dm));
    },
    text(text) {
      if (fallbacks === 0) paragraphs.text(text);
    },
    close(name) {
      if (name === 'Fallback') fallbacks = Math.max(0, fallbacks - 1);
      if (name === 'Choice') hadChoice = true;
      if (name === 'AlternateContent') hadChoice = false;
      if (fallbacks > 0) return;
      paragraphs.close(name);
      if (name === 'nvGrpSpPr') isGroupHead = false;
      else if (name === 'grpSp') groups.pop();
      if (name === 'p') {
        const line = paragraphs.take();
        if (cells === null) target().push(line);
        else if (cells.length > 0)
          cells[cells.length - 1] += `${cells.at(-1) === '' ? '' : ' '}${line.replace(/[\t\n]+/g, ' ')}`;
      } else if (name === 'tr' && cells !== null) {
        lines.push(cells.join('\t'));
        cells = null;
      } else if ((name === 'sp' || name === 'cxnSp') && shape !== null) {
        if (isWanted(shape.placeholder)) lines.push(textOf(shape));
        shape = null;
      }
    },
  });
  return { text: lines.filter((one) => one !== '').join('\n'), isHidden };
}
