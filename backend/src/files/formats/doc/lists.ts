import { type Level, type ListRules, Numbering } from '../office/lists/numbering.js';
import { PROPERTY, propertiesOf } from './properties.js';

/** Bytes of the structures of lists ([MS-DOC] 2.9.131, 2.9.147, 2.9.150). */
const LIST_BYTES = 28;
const LEVEL_BYTES = 28;
const USE_BYTES = 16;
const OVERRIDE_BYTES = 8;

/** Levels of a list that is not simple. */
const LEVELS = 9;

/** Numbers of formats as DOCX names them; others count as decimal. */
const FORMATS: Record<number, string> = {
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  5: 'ordinal',
  10: 'ideographDigital',
  11: 'japaneseCounting',
  12: 'aiueo',
  13: 'iroha',
  14: 'decimalFullWidth',
  16: 'japaneseLegal',
  18: 'decimalEnclosedCircle',
  20: 'aiueo',
  21: 'iroha',
  22: 'decimalZero',
  23: 'bullet',
  24: 'ganada',
  25: 'chosung',
  30: 'ideographTraditional',
  31: 'ideographZodiac',
  33: 'taiwaneseCounting',
  34: 'ideographLegalTraditional',
  35: 'taiwaneseCountingThousand',
  37: 'chineseCounting',
  38: 'chineseLegalSimplified',
  39: 'chineseCountingThousand',
  255: 'none',
};

const IS_START = 0x10;
const IS_FORMAT = 0x20;

/** Reads values one after another; beyond the end all are 0. */
class Reader {
  at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  number(size: 1 | 2 | 4): number {
    this.at += size;
    return this.at > this.bytes.length ? 0 : this.bytes.readUIntLE(this.at - size, size);
  }

  take(size: number): Buffer {
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }
}

/**
 * The numbers of the lists of a Word document; a list is the place of its use from 1.
 * @param lists the definitions and what follows them: their levels
 * @param uses which list a paragraph names
 */
export function numberingOf(lists: Buffer, uses: Buffer): Numbering {
  const rules: ListRules = { levels: new Map(), lists: new Map(), starts: new Map() };
  readDefinitions(new Reader(lists), rules);
  readUses(new Reader(uses), rules);
  return new Numbering(rules);
}

function readDefinitions(reader: Reader, { levels }: ListRules): void {
  const count = reader.number(2);
  const heads = Array.from({ length: count }, () => reader.take(LIST_BYTES)).filter(
    ({ length }) => length === LIST_BYTES,
  );
  for (const head of heads) {
    const isSimple = (head[26]! & 1) !== 0;
    const own = new Map<number, Level>();
    levels.set(String(head.readInt32LE(0)), own);
    for (let level = 0; level < (isSimple ? 1 : LEVELS) && !reader.isAtEnd; level++) own.set(level, readLevel(reader));
  }
}

function readLevel(reader: Reader): Level {
  const head = new Reader(reader.take(LEVEL_BYTES));
  const start = head.number(4);
  const format = head.number(1);
  head.at = 24;
  const characters = head.number(1);
  reader.take(characters + head.number(1));
  const text = reader.take(2 * reader.number(2)).toString('utf16le');
  return {
    start,
    format: FORMATS[format] ?? 'decimal',
    // A character below 9 stands for the number of a level.
    text: Array.from(text, (character) => (character < '\t' ? `%${character.charCodeAt(0) + 1}` : character)).join(''),
  };
}

function readUses(reader: Reader, { lists, levels, starts }: ListRules): void {
  const count = reader.number(4);
  const overrides: number[] = [];
  for (let use = 1; use <= count && !reader.isAtEnd; use++) {
    const head = new Reader(reader.take(USE_BYTES));
    lists.set(String(use), String(head.number(4) | 0));
    head.at = 12;
    overrides.push(head.number(1));
  }
  for (const [index, own] of overrides.entries()) {
    reader.take(4);
    const list = String(index + 1);
    for (let count = 0; count < own && !reader.isAtEnd; count++) {
      const head = new Reader(reader.take(OVERRIDE_BYTES));
      const start = head.number(4);
      const flags = head.number(4);
      const level = flags & 0xf;
      if ((flags & IS_START) !== 0) starts.set(`${list} ${level}`, start);
      if ((flags & IS_FORMAT) !== 0) overrideLevel(list, level, readLevel(reader), { lists, levels });
    }
  }
}

/** A use with a level of its own has a definition of its own. */
function overrideLevel(
  list: string,
  level: number,
  own: Level,
  { lists, levels }: Pick<ListRules, 'lists' | 'levels'>,
): void {
  const base = lists.get(list) ?? '';
  const definition = base.includes(' ') ? base : `${base} ${list}`;
  if (definition !== base) levels.set(definition, new Map(levels.get(base)));
  levels.get(definition)!.set(level, own);
  lists.set(list, definition);
}

/** The list of a paragraph, and its level; 0 for none. */
export interface Place {
  list: number;
  level: number;
}

/** Kind of a style of paragraphs. */
const PARAGRAPH = 1;

/** A style without a base. */
const NO_BASE = 0xfff;

const MAX_BASES = 20;

/** The places in lists that styles of paragraphs give, in their order. @param table the style sheet */
export function placesOfStyles(table: Buffer): Partial<Place>[] {
  const reader = new Reader(table);
  const head = new Reader(reader.take(reader.number(2)));
  const count = head.number(2);
  const baseBytes = head.number(2);
  const styles: { own: Partial<Place>; base: number }[] = [];
  for (let index = 0; index < count && !reader.isAtEnd; index++) {
    const style = new Reader(reader.take(reader.number(2)));
    style.number(2);
    const kind = style.number(2);
    style.at = baseBytes;
    style.take(2 * style.number(2) + 2);
    const isParagraph = (kind & 0xf) === PARAGRAPH;
    const properties = isParagraph ? style.take(style.number(2)).subarray(2) : Buffer.alloc(0);
    styles.push({ own: listPlaceOf(properties), base: kind >> 4 });
  }
  return styles.map((style) => {
    const chain = [style];
    for (let base = style.base; base !== NO_BASE && chain.length < MAX_BASES;) {
      const next = styles[base];
      if (next === undefined) break;
      chain.unshift(next);
      base = next.base;
    }
    return Object.assign({}, ...chain.map(({ own }) => own)) as Partial<Place>;
  });
}

/** What properties of a paragraph say of its list. */
export function listPlaceOf(properties: Buffer): Partial<Place> {
  const found = propertiesOf(properties);
  const [list, level] = [found.get(PROPERTY.list), found.get(PROPERTY.listLevel)];
  return { ...(list !== undefined && { list }), ...(level !== undefined && { level }) };
}
