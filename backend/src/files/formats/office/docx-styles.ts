import type { ListPlace } from './lists/numbering.js';
import { isOn, readXml } from '../xml.js';

interface Style {
  name: string;
  outline: number | null;
  basedOn: string;
  place: Partial<ListPlace>;
  look: Look;
}

/** How letters look that says something; undefined where nothing is said of it. */
export interface Look {
  isHidden?: boolean;
  isStruck?: boolean;
}

/** What a style says of its paragraphs, with what it inherits. */
export interface ParagraphStyle {
  /** Of a heading, from 1; undefined for other paragraphs. */
  level: number | undefined;
  place: Partial<ListPlace>;
  look: Look;
}

/** Styles that one style inherits from. A circle ends here. */
const MAX_BASES = 10;

/** Levels of the outline from 0; body text has this one. */
const BODY_LEVEL = 9;

export const headingLevel = (outline = BODY_LEVEL): number | undefined =>
  outline < BODY_LEVEL ? outline + 1 : undefined;

const PLAIN: ParagraphStyle = { level: undefined, place: {}, look: {} };

/** The styles of a Word document. */
export class Styles {
  private readonly styles = new Map<string, Style>();
  private readonly resolved = new Map<string, ParagraphStyle>();

  /** @param xml the part with styles; '' for a document without one */
  constructor(xml: string) {
    let style: Style | undefined;
    readXml(xml, {
      open: ({ name, attributes }) => {
        const { val = '' } = attributes;
        const isSet = isOn(attributes.val);
        if (name === 'style') {
          style = { name: '', outline: null, basedOn: '', place: {}, look: {} };
          this.styles.set(attributes.styleId ?? '', style);
        } else if (style === undefined) return;
        else if (name === 'name') style.name = val;
        else if (name === 'basedOn') style.basedOn = val;
        else if (name === 'outlineLvl') style.outline = Number(val);
        else if (name === 'numId') style.place.list = val;
        else if (name === 'ilvl') style.place.level = Number(val);
        else if (name === 'vanish') style.look.isHidden = isSet;
        else if (name === 'strike' || name === 'dstrike') style.look.isStruck = isSet;
      },
      close: (name) => {
        if (name === 'style') style = undefined;
      },
    });
  }

  /** The style of a paragraph or of letters by its id. Unknown styles are plain, as in Word. */
  find(id: string): ParagraphStyle {
    if (!this.styles.has(id)) return PLAIN;
    const found = this.resolved.get(id) ?? this.resolve(id);
    this.resolved.set(id, found);
    return found;
  }

  private resolve(id: string): ParagraphStyle {
    const chain: Style[] = [];
    for (let style = this.styles.get(id); style && chain.length <= MAX_BASES; style = this.styles.get(style.basedOn))
      chain.push(style);
    const outline = chain.map(levelOf).find((found) => found !== null);
    const place = chain.reduceRight<Partial<ListPlace>>((inherited, style) => ({ ...inherited, ...style.place }), {});
    const look = chain.reduceRight<Look>((inherited, style) => ({ ...inherited, ...style.look }), {});
    return { level: headingLevel(outline), place, look };
  }
}

/** The level of a style in the outline; null where it says nothing about it. */
function levelOf({ outline, name }: Style): number | null {
  if (outline !== null) return outline;
  return /^heading [1-9]$/i.test(name) ? Number(name.slice(-1)) - 1 : null;
}
