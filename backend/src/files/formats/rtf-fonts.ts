import { encodingOfCodePage } from './text/encodings.js';

/** Encodings by the numbers of Windows' character sets (`\fcharset`). */
export const CHARSETS: Record<number, string> = {
  77: 'macintosh',
  78: 'shift_jis',
  79: 'euc-kr',
  80: 'gb18030',
  81: 'big5',
  85: 'macgreek',
  86: 'macturkish',
  88: 'maccenteuro',
  89: 'x-mac-cyrillic',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
  254: 'cp437',
  255: 'cp850',
};

/** The character set of fonts with symbols in place of letters. */
const SYMBOLS = 2;

/** The name of a font, among the numbers that describe it. */
const FONT_NAME = /^(?![\da-f]+$)[a-z][\w ]*(?=;?$)/i;

/** What a font says of the bytes that are written in it. */
export interface RtfFont {
  encoding: string;
  /** The name of a font with symbols in place of letters; null for other fonts. */
  symbolFont: string | null;
}

/** The fonts of an RTF file, by their numbers. */
export class RtfFonts {
  /** The encoding of fonts that do not say theirs. */
  base = 'windows-1252';
  /** The number of the font of letters for which none is chosen. */
  usual = 0;
  private readonly encodings = new Map<number, string>();
  private readonly symbols = new Map<number, string>();
  private listed = 0;

  /** The font of letters for which none is chosen: never one of symbols. */
  get first(): RtfFont {
    return { ...this.find(this.usual), symbolFont: null };
  }

  find(font: number): RtfFont {
    return {
      encoding: this.encodings.get(font) ?? this.base,
      symbolFont: this.symbols.get(font) ?? null,
    };
  }

  /** Takes a word of the font table; others are ignored. */
  describe(word: string, parameter = 0): void {
    if (word === 'f') this.listed = parameter;
    else if (word === 'cpg') this.encodings.set(this.listed, encodingOfCodePage(parameter));
    else if (word === 'fcharset') {
      this.encodings.set(this.listed, CHARSETS[parameter] ?? this.base);
      if (parameter === SYMBOLS) this.symbols.set(this.listed, '');
    }
  }

  /** Takes a text of the font table: the first name of a font counts. */
  name(text: string): void {
    const name = FONT_NAME.exec(text.trim())?.[0];
    if (name !== undefined && this.symbols.get(this.listed) === '') this.symbols.set(this.listed, name);
  }
}
