import { readXml, xmlPieces } from '../xml.js';

/** Styles stand before it. */
const BODY = /<(?:\w+:)?body[\s>]/;

/** Characters of its element up to its name. */
const BODY_LENGTH = 100;

/** What stands before the body: a large document is not decoded as a whole. */
export function headOf(content: Uint8Array): string {
  let head = '';
  let end = '';
  for (const piece of xmlPieces(content)) {
    const last = end + piece;
    const found = last.search(BODY);
    if (found >= 0) return head.slice(0, head.length - end.length) + last.slice(0, found);
    head += piece;
    end = last.slice(-BODY_LENGTH);
  }
  return head;
}

/** Names of styles that change what is read. */
export interface Styles {
  /** Of slides and sheets that are not shown. */
  hidden: ReadonlySet<string>;
  /** Of letters that are not shown. */
  invisible: ReadonlySet<string>;
  /** Of letters above the line. */
  raised: ReadonlySet<string>;
  /** Of letters with a line through them. */
  struck: ReadonlySet<string>;
  /** Names of fonts by their style. */
  fonts: ReadonlyMap<string, string>;
}

export const NO_STYLES: Styles = {
  hidden: new Set(),
  invisible: new Set(),
  raised: new Set(),
  struck: new Set(),
  fonts: new Map(),
};

/** Letters that stand above the line: `super 58%`, `33% 58%`. */
const ABOVE = /^(?:super|[1-9])/;

export function stylesIn(xml: string): Styles {
  const styles = {
    hidden: new Set<string>(),
    invisible: new Set<string>(),
    raised: new Set<string>(),
    struck: new Set<string>(),
    fonts: new Map<string, string>(),
  };
  let style = '';
  readXml(xml, {
    open({ name, attributes }) {
      if (name === 'style') style = attributes.name ?? '';
      if (attributes.visibility === 'hidden' || (name === 'table-properties' && attributes.display === 'false'))
        styles.hidden.add(style);
      if (name !== 'text-properties') return;
      if (attributes.display === 'none') styles.invisible.add(style);
      if (ABOVE.test(attributes['text-position'] ?? '')) styles.raised.add(style);
      if (attributes['font-name'] !== undefined) styles.fonts.set(style, attributes['font-name']);
      if ((attributes['text-line-through-style'] ?? 'none') !== 'none') styles.struck.add(style);
    },
  });
  return styles;
}
