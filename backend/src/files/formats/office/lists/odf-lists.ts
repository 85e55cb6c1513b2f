import { type ListRules, MAX_LEVELS } from './numbering.js';
import { readXml } from '../../xml.js';

/** Formats of numbers as DOCX names them. */
const FORMATS: Record<string, string> = {
  '1': 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  '①': 'decimalEnclosedCircle',
  '１': 'decimalFullWidth',
  一: 'chineseCountingThousand',
  壹: 'chineseLegalSimplified',
  壱: 'japaneseLegal',
  일: 'koreanCounting',
  가: 'ganada',
  ㄱ: 'chosung',
  ア: 'aiueo',
  イ: 'iroha',
  甲: 'ideographTraditional',
  子: 'ideographZodiac',
  А: 'russianUpper',
  а: 'russianLower',
};

/** The format of a list: of scripts beside Latin, the first of its numbers, which are listed: `一, 二, 三, ...`. */
const formatNamed = (given = ''): string => FORMATS[given.split(',')[0]!.trim()] ?? 'none';

/** The list that numbers headings. */
export const OUTLINE = 'outline';

/** What the styles of a text say of its lists. */
export interface OdfLists {
  rules: ListRules;
  /** The style of its lists by the style of a paragraph. */
  ofParagraphs: ReadonlyMap<string, string>;
}

/** The rules of lists in styles. @param parts the XML of styles, of which later ones count */
export function odfListsOf(parts: readonly string[]): OdfLists {
  const rules: ListRules = { levels: new Map(), lists: new Map([[OUTLINE, OUTLINE]]), starts: new Map() };
  const ofParagraphs = new Map<string, string>();
  for (const xml of parts) readStyles(xml, rules, ofParagraphs);
  return { rules, ofParagraphs };
}

/** A whole number; another one for what is none. */
export function numberOr(text: string | undefined, other: number): number {
  const number = Math.trunc(Number(text ?? other));
  return Number.isFinite(number) ? number : other;
}

function readStyles(xml: string, { levels }: ListRules, ofParagraphs: Map<string, string>): void {
  let list = '';
  readXml(xml, {
    open({ name, attributes }) {
      if (name === 'style') {
        const { name: style = '', 'list-style-name': own, 'parent-style-name': parent = '' } = attributes;
        const used = own ?? ofParagraphs.get(parent);
        if (used) ofParagraphs.set(style, used);
      } else if (name === 'list-style' || name === 'outline-style') {
        list = name === 'list-style' ? (attributes.name ?? '') : OUTLINE;
        levels.set(list, new Map());
      }
      if (!/^(?:list-level-style-(?:number|bullet)|outline-level-style)$/.test(name)) return;
      const { level = '1', 'num-prefix': prefix = '', 'num-suffix': suffix = '' } = attributes;
      const own = numberOr(level, 1);
      if (own < 1 || own > MAX_LEVELS) return;
      const shown = Math.min(Math.max(numberOr(attributes['display-levels'], 1), 1), own);
      const numbers = Array.from({ length: shown }, (_, index) => `%${own - shown + 1 + index}`);
      levels.get(list)?.set(own - 1, {
        start: numberOr(attributes['start-value'], 1),
        format: name.endsWith('bullet') ? 'bullet' : formatNamed(attributes['num-format']),
        text: `${prefix}${numbers.join('.')}${suffix}`,
      });
    },
  });
}
