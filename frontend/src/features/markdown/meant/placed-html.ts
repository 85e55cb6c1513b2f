import { picture } from './tags';

/** What the tags on lines above have left open. */
export interface Placing {
  /** The open tags that only place what follows. */
  tags: number;
  /** The number signs of a title whose tag has a line of its own, for the line below it. */
  title: string;
}

export const NOTHING_PLACED: Placing = { tags: 0, title: '' };

/** A tag at the start of a line that may only place what follows. */
const PLACING = /^ {0,3}<(center|div|p|span|font|h[1-6])(\s[^<>]*)?>/i;
const PLACING_END = /^ {0,3}<\/(?:center|div|p|span|font|h[1-6])>[ \t]*$/i;
const PLACES = /\s(?:align|style)\s?=/i;
const TITLE_END = /<\/h[1-6]>[ \t]*/i;
const LONE_RULE = /^ {0,3}<hr\b[^<>]*>[ \t]*$/i;
const LONE_PICTURE = /^ {0,3}<img(\s[^<>]*)>[ \t]*$/i;
/** The tags of a line that place it. */
const LINE_TAGS = /<(\/?)(?:center|div|p)\b/gi;

interface PlacedLine {
  out: string;
  placing: Placing;
  /** False for a tag alone on its line, after which a new paragraph begins. */
  isText: boolean;
}

const titleSigns = (tag: string): string => '#'.repeat(Number(tag[1]));

export const withoutTitle = (placing: Placing): Placing => (placing.title === '' ? placing : { ...placing, title: '' });

/** A line as Markdown without HTML that only places it; undefined for other lines. */
export function withoutPlacing(before: Placing, line: string, isComplete: boolean): PlacedLine | undefined {
  const placed = line.includes('<') ? placedLine(before, line, isComplete) : undefined;
  if (placed || before.title === '') return placed;
  const text = line.replace(TITLE_END, '');
  const tags = text === line || !isComplete ? before.tags : before.tags - 1;
  return { out: `${before.title} ${text.trim()}`, placing: { tags, title: '' }, isText: true };
}

function placedLine(before: Placing, line: string, isComplete: boolean): PlacedLine | undefined {
  const same = withoutTitle(before);
  const text = (out: string): PlacedLine => ({ out, placing: same, isText: true });
  /** A tag that may grow changes nothing. */
  const tag = (placing: Placing): PlacedLine =>
    isComplete ? { out: '', placing, isText: false } : { out: '', placing: same, isText: true };
  const [opening = '', written = '', attributes = ''] = PLACING.exec(line) ?? [];
  const name = written.toLowerCase();
  if (name === 'center' || PLACES.test(attributes)) {
    const rest = line.slice(opening.length);
    if (name.startsWith('h') && rest.trim() !== '') {
      const end = TITLE_END.exec(rest);
      const title = `${titleSigns(name)} ${rest.slice(0, end?.index)}`;
      if (!end) return { ...text(title), placing: isComplete ? { ...same, tags: before.tags + 1 } : same };
      const behind = rest.slice(end.index + end[0].length);
      return text(behind === '' ? title : `${title}\n\n${behind}`);
    }
    if (rest.trim() !== '') return text(line.replace(LINE_TAGS, '<$1span'));
    return tag({ tags: before.tags + 1, title: name.startsWith('h') ? titleSigns(name) : '' });
  }
  if (before.tags > 0 && PLACING_END.test(line)) return tag({ tags: before.tags - 1, title: '' });
  if (LONE_RULE.test(line)) return text(isComplete ? '***' : '');
  const [, source] = LONE_PICTURE.exec(line) ?? [];
  const image = source === undefined ? null : picture(source);
  if (!image || /[<>\n]/.test(image.url!)) return undefined;
  return text(`![${image.alt!.replace(/[[\]\\]/g, String.raw`\$&`)}](<${image.url}>)`);
}
