import { numberText } from './number-text.js';
import { readXml } from '../../xml.js';

export interface Level {
  start: number;
  /** As in DOCX: `decimal`, `bullet`, `lowerRoman`; `none` for no mark. */
  format: string;
  /** Such as `%1.%2)`. */
  text: string;
}

/** Levels of a list: nine of Word, ten of LibreOffice. */
export const MAX_LEVELS = 10;

export interface ListPlace {
  list: string;
  level: number;
}

/** What a document says of its lists. */
export interface ListRules {
  /** Levels by the name of their definition and their number. */
  levels: Map<string, Map<number, Level>>;
  lists: Map<string, string>;
  /** Starts of lists of their own, by `list level`. */
  starts: Map<string, number>;
}

/** The rules of a numbering part of DOCX. @param xml '' for a document without one */
export function listRulesOf(xml: string): ListRules {
  const rules: ListRules = { levels: new Map(), lists: new Map(), starts: new Map() };
  let definition = '';
  let list = '';
  let level = 0;
  let override = 0;
  if (xml === '') return rules;
  readXml(xml, {
    open: ({ name, attributes }) => {
      const value = attributes.val ?? '';
      if (name === 'abstractNum') {
        definition = attributes.abstractNumId ?? '';
        rules.levels.set(definition, new Map());
      } else if (name === 'lvl') {
        level = Number(attributes.ilvl ?? 0);
        rules.levels.get(definition)?.set(level, { start: 1, format: 'decimal', text: '' });
      } else if (name === 'num') {
        list = attributes.numId ?? '';
        definition = '';
      } else if (name === 'abstractNumId') rules.lists.set(list, value);
      else if (name === 'lvlOverride') override = Number(attributes.ilvl ?? 0);
      else if (name === 'startOverride') rules.starts.set(`${list} ${override}`, Number(value));
      const current = rules.levels.get(definition)?.get(level);
      if (current === undefined) return;
      if (name === 'start') current.start = Number(value);
      else if (name === 'numFmt') current.format = value;
      else if (name === 'lvlText') current.text = value;
    },
  });
  return rules;
}

/** The numbers of lists in a Word document, which its text does not have. */
export class Numbering {
  private readonly counts = new Map<string, number[]>();

  constructor(private readonly rules: ListRules) {}

  /** The mark of the next paragraph at a place: `2.1 `, `- ` for bullets, '' without a list. */
  next({ list, level }: ListPlace): string {
    if (!(level >= 0 && level < MAX_LEVELS)) return '';
    const { lists, levels: definitions, starts } = this.rules;
    const definition = lists.get(list);
    const levels = definition === undefined ? undefined : definitions.get(definition);
    const current = levels?.get(level);
    if (definition === undefined || levels === undefined || current === undefined) return '';
    const counts = this.counts.get(definition) ?? [];
    this.counts.set(definition, counts);
    // A start of its own counts once, at the first paragraph of its list.
    const own = starts.get(`${list} ${level}`);
    if (own !== undefined) starts.delete(`${list} ${level}`);
    counts[level] = own ?? (counts[level] === undefined ? current.start : counts[level] + 1);
    counts.length = level + 1;
    if (current.format === 'none') return '';
    if (current.format === 'bullet') return '- ';
    const mark = current.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      return numberText(counts[at] ?? levels.get(at)?.start ?? 1, levels.get(at)?.format ?? 'decimal');
    });
    return mark === '' ? '' : `${mark} `;
  }
}
