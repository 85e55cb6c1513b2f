import type { Look, Styles } from './docx-styles.js';
import { raised } from '../text/looks.js';
import { symbolOf, withSymbols } from '../text/symbol-fonts.js';
import { isOn } from '../xml.js';

/** Letters of one look in a Word document, while they are read. */
export class Run {
  isHidden: boolean;
  isStruck: boolean;
  private isRaised = false;
  private font = '';

  /** @param look of its paragraph */
  constructor({ isHidden = false, isStruck = false }: Look) {
    this.isHidden = isHidden;
    this.isStruck = isStruck;
  }

  /** Takes a property of the run by the name of its element; others are ignored. */
  setProperty(name: string, { val, hAnsi, ascii }: Record<string, string>, styles: Styles): void {
    if (name === 'rStyle') Object.assign(this, styles.find(val ?? '').look);
    else if (name === 'vanish') this.isHidden = isOn(val);
    else if (name === 'strike' || name === 'dstrike') this.isStruck = isOn(val);
    else if (name === 'vertAlign') this.isRaised = val === 'superscript';
    else if (name === 'rFonts') this.font = hAnsi ?? ascii ?? '';
  }

  shown(text: string): string {
    const letters = withSymbols(text, this.font);
    return this.isRaised ? raised(letters) : letters;
  }
}

/** A character of a symbol font, by its number in hexadecimal; fonts that are none have their letters in Unicode. */
export function symbol({ char = '', font = '' }: Record<string, string>): string {
  const code = Number.parseInt(char, 16);
  if (Number.isNaN(code)) return '•';
  const isPrivate = code >= 0xe000 && code <= 0xf8ff;
  return isPrivate || code < 0x100 ? symbolOf(font, code & 0xff) : String.fromCharCode(code);
}
