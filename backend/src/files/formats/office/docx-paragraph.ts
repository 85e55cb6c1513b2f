import { headingLevel, type Look, type Styles } from './docx-styles.js';
import type { ListPlace, Numbering } from './lists/numbering.js';

/** A paragraph of a Word document while it is read. */
export class Paragraph {
  text = '';
  /** Of a heading, from 1. */
  level: number | undefined;
  /** Whether it is no more than the large first letter of the next one. */
  isDropCap = false;
  /** How its letters look by its style. */
  look: Look = {};
  /** The place in a list that its style gives. */
  private inherited: Partial<ListPlace> = {};
  private own: Partial<ListPlace> = {};
  private isListed = false;

  /** Takes a property of a paragraph by the name of its element; others are ignored. */
  setProperty(name: string, value: string, styles: Styles): void {
    if (name === 'pStyle') ({ level: this.level, place: this.inherited, look: this.look } = styles.find(value));
    else if (name === 'outlineLvl') this.level = headingLevel(Number(value));
    else if (name === 'numPr') this.isListed = true;
    else if (name === 'ilvl') this.own.level = Number(value);
    else if (name === 'numId') this.own.list = value;
  }

  /** Its number in its list, once; '' without one. */
  mark(numbering: Numbering): string {
    const { list, level = 0 } = { ...this.inherited, ...this.own };
    if (list === undefined || list === '0' || !(this.isListed || this.inherited.list)) return '';
    this.isListed = false;
    this.inherited = {};
    return numbering.next({ list, level });
  }
}
