import { isUtf8 } from 'node:buffer';
import { posix } from 'node:path';
import { readHtmlText } from './html-text.js';
import { ExtractionError, type SectionCollector } from './sections.js';
import { decodeXml, readXml } from './xml.js';
import { zipEntries } from './zip-contents.js';

const READ_PARTS = /\.(?:xml|opf|x?html?|svg|lcpl)$/i;

/** What says that a book is encrypted: for Adobe's, Apple's and libraries' readers. */
const RIGHTS = ['META-INF/rights.xml', 'META-INF/sinf.xml', 'META-INF/license.lcpl'];

/** Reads the chapters of a book in their order, a part each, named by its first heading or title. */
export function readEpub(bytes: Buffer, out: SectionCollector): void {
  for (const [path, chapter] of chaptersIn(bytes)) {
    if (out.isFull) break;
    if (/\.svg$/i.test(path)) {
      readDrawing(decodeXml(chapter), out);
      continue;
    }
    out.begin('part', titleOf(decodeXml(chapter)));
    // Older books have chapters in an encoding of their own.
    const html = isUtf8(chapter) ? chapter : Buffer.from(decodeXml(chapter));
    out.add(readHtmlText(html, 'application/xhtml+xml; charset=utf-8'));
  }
}

/** Copies of names that a Macintosh packs beside the files of a folder. */
const OF_MACINTOSH = /(?:^|\/)(?:__MACOSX\/|\._)/;

const isChapterList = (name: string): boolean => /\.opf$/i.test(name) && !OF_MACINTOSH.test(name);

/** Whether an archive is a book: it says so, or has one list of chapters with these. */
export function isBook(bytes: Buffer, names: readonly string[]): boolean {
  if (names.some((name) => /^META-INF\/container\.xml$/i.test(name))) return true;
  // Archives of several books, or with the description of one beside it, are none.
  if (names.filter(isChapterList).length !== 1) return false;
  try {
    return chaptersIn(bytes).length > 0;
  } catch (error) {
    if (error instanceof ExtractionError && error.problem !== 'encrypted') return false;
    throw error;
  }
}

/** The chapters that are there, with their paths. */
function chaptersIn(bytes: Buffer): [path: string, chapter: Uint8Array][] {
  const parts = zipEntries(bytes, (name) => READ_PARTS.test(name));
  if (RIGHTS.some((path) => parts.has(path))) throw new ExtractionError('encrypted');
  // Books that were packed by hand differ from their list in case.
  const paths = new Map([...parts.keys()].map((path) => [path.toLowerCase(), path]));
  const partAt = (path: string) => parts.get(paths.get(path.toLowerCase()) ?? '');
  const container = partAt('META-INF/container.xml');
  const named = container && /full-path\s*=\s*["']([^"']+)["']/.exec(decodeXml(container))?.[1];
  const root = named ?? [...parts.keys()].find(isChapterList);
  const book = root ? partAt(root) : undefined;
  if (!root || book === undefined) throw new ExtractionError('broken');
  return [...chaptersOf(decodeXml(book), posix.dirname(root))].flatMap((path) => {
    const chapter = partAt(path);
    return chapter === undefined ? [] : [[path, chapter] as [string, Uint8Array]];
  });
}

/** Elements of a drawing whose text is read; a description stands for the picture. */
const READ = new Set(['text', 'foreignObject', 'desc']);
/** Elements within a line of a drawing. */
const INLINE = new Set(['tspan', 'textPath', 'a', 'span', 'b', 'i', 'em', 'strong', 'sup', 'sub']);

/** What says something of the file, not of the picture: Inkscape writes the name of its file as a title there. */
const UNSEEN = ['metadata', 'defs'];

const blanksJoined = (text: string): string => text.replace(/\s+/g, ' ').trim();

/**
 * What stands in a drawing, as of covers and comics: a line for each text, and for each paragraph of HTML within it. The first
 * title of the drawing is its label, that of a group or a shape a line. One that is damaged has what stands before that.
 */
function readDrawing(drawing: string, out: SectionCollector): void {
  const open: { name: string; hasTitle?: boolean }[] = [];
  const lines: string[] = [];
  let [line, title, label] = ['', '', ''];
  /** Where the first piece of a text began, where the last one did, and its length. */
  let [left, top, length] = [NaN, NaN, 0];
  const addLine = (text: string, isDescription = false): void => {
    const words = blanksJoined(text);
    if (words !== '') lines.push(isDescription ? `[picture: ${words}]` : words);
  };
  const endTitle = (): void => {
    const parent = open.at(-1);
    if (parent === undefined || parent.hasTitle) return;
    parent.hasTitle = true;
    if (open.length === 1) label = blanksJoined(title);
    else if (!open.some(({ name }) => UNSEEN.includes(name))) addLine(title);
  };
  try {
    readXml(drawing, {
      open({ name, attributes: { x, y, dy = '0' } }) {
        open.push({ name });
        if (name === 'title') title = '';
        if (name === 'text') [left, top, length] = [NaN, NaN, 0];
        if (name !== 'text' && name !== 'tspan') return;
        const [column, row] = [parseFloat(x ?? ''), parseFloat(y ?? '')];
        // A long text is broken into lines below one another. Other pieces are parts of words too, as are single letters,
        // of which vertical text has one below the other.
        const isLower = (!Number.isNaN(row) && row !== top) || parseFloat(dy) !== 0;
        if (name === 'tspan' && column === left && isLower && length > 1) line += ' ';
        if (Number.isNaN(left)) left = column;
        if (!Number.isNaN(row)) top = row;
        if (name === 'tspan') length = 0;
      },
      text(text) {
        if (open.at(-1)?.name === 'title') title += text;
        else if (open.some(({ name }) => READ.has(name))) {
          line += text;
          length += text.trim().length;
        }
      },
      close(name) {
        open.pop();
        if (name === 'title') return endTitle();
        if (INLINE.has(name)) return;
        addLine(line, name === 'desc');
        line = '';
      },
    });
  } catch (error) {
    if (!(error instanceof ExtractionError) || error.problem !== 'broken') throw error;
    out.facts.isDamaged = true;
  }
  out.begin('part', label);
  out.add(lines.join('\n'));
}

/** Paths of the chapters; a spine may name one twice. A book without a spine has the order of its list. */
function chaptersOf(book: string, folder: string): Set<string> {
  const items = new Map<string, string>();
  const chapters: string[] = [];
  readXml(book, {
    open({ name, attributes }) {
      if (name === 'item') items.set(attributes.id ?? '', attributes.href ?? '');
      const href = name === 'itemref' ? items.get(attributes.idref ?? '') : undefined;
      if (href !== undefined) chapters.push(href);
    },
  });
  const listed = chapters.length > 0 ? chapters : [...items.values()].filter((href) => /\.x?html?(?:#|$)/i.test(href));
  return new Set(listed.map((href) => posix.join(folder, unescaped(href.split('#')[0]!))));
}

function unescaped(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

const PICTURE = /\[picture: ([^\]]*)\]/g;

/** Characters of a chapter in which its heading stands. */
const HEADING_WITHIN = 64 * 1024;

/** The first heading, in which letters may have a look of their own; else the title, which many books repeat in each chapter. */
function titleOf(chapter: string): string {
  const html = chapter.slice(0, HEADING_WITHIN);
  const heading = /<h([1-3])\b[^<>]*>([\s\S]{1,2000}?)<\/h\1\s*>/i.exec(html)?.[2];
  const title = heading ?? /<title\b[^<>]*>([^<]+)</i.exec(html)?.[1] ?? '';
  const text = readHtmlText(Buffer.from(title), 'text/html; charset=utf-8');
  // Pictures decorate a heading, or are all of it.
  return text.replace(PICTURE, '').trim() || text.replace(PICTURE, '$1').trim();
}
