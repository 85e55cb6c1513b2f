import { InlineScanner } from './inline-scanner';

/** A part of a paragraph that renders by itself. Inline markup never spans two pieces. */
export interface ParagraphPiece {
  /** The white space before the piece: a space, a line break, or nothing between CJK sentences. */
  gap: string;
  source: string;
}

/** Only longer paragraphs are split: a shorter one renders quickly as a whole. */
export const LONG_PARAGRAPH = 1_500;
/** A piece ends at the first sentence or line end after this length. */
const PIECE_LENGTH = 400;
/** Without a sentence end, a piece ends at the first space after this multiple of its length. */
const WORD_END_FACTOR = 2;

const SENTENCE_END = /[.!?…:;。！？][)\]"'”’*_`~]{0,4}$/;
/** A piece starts with a letter, which cannot start another block. */
const PIECE_START = /["'“‘(]?\p{L}/uy;
const PIECE_START_LENGTH = 3;
const CJK_SENTENCE_END = /[。！？]/;

/**
 * Splits a long paragraph into pieces. A paragraph that grows at its end is scanned from its last piece on; the pieces
 * before keep their identity, because no further text can change them.
 */
export class ParagraphSplitter {
  /** The final pieces. */
  private pieces: ParagraphPiece[] = [];
  /** Where the last piece starts, and the gap before it. */
  private lastStart = 0;
  private lastGap = '';
  /** The text that decided the final pieces. */
  private scanned = '';

  constructor(private readonly pieceLength = PIECE_LENGTH) {}

  split(source: string): ParagraphPiece[] {
    if (!source.startsWith(this.scanned)) {
      this.pieces = [];
      this.lastStart = 0;
      this.lastGap = '';
      this.scanned = '';
    }
    for (let cut = this.findCut(source); cut; cut = this.findCut(source)) {
      this.pieces.push({ gap: this.lastGap, source: source.slice(this.lastStart, cut.end) });
      this.lastGap = source.slice(cut.end, cut.next);
      this.lastStart = cut.next;
      this.scanned = source.slice(0, cut.next + PIECE_START_LENGTH);
    }
    return [...this.pieces, { gap: this.lastGap, source: source.slice(this.lastStart) }];
  }

  private findCut(source: string): { end: number; next: number } | null {
    const start = this.lastStart;
    const scanner = new InlineScanner(source, start);
    do {
      const length = scanner.at - start;
      if (length < this.pieceLength || !scanner.isOutside) continue;
      const next = nextStart(source, scanner.at, length >= this.pieceLength * WORD_END_FACTOR);
      if (next !== null) return { end: scanner.at, next };
    } while (scanner.advance());
    return null;
  }
}

/** The start of the next piece, if a piece may end at this position; null otherwise. */
function nextStart(source: string, end: number, mayCutWords: boolean): number | null {
  const char = source[end] ?? '';
  const before = source[end - 1] ?? '';
  // Without white space only between CJK sentences.
  if (CJK_SENTENCE_END.test(before)) return /[^\p{ASCII}]/u.test(char) && startsPiece(source, end) ? end : null;
  // Spaces and a backslash before a line break make it a hard one.
  if (/[\s\\]/.test(before) || !startsPiece(source, end + 1)) return null;
  const isSentenceEnd = char === ' ' && (mayCutWords || SENTENCE_END.test(source.slice(Math.max(0, end - 6), end)));
  return char === '\n' || isSentenceEnd ? end + 1 : null;
}

function startsPiece(source: string, at: number): boolean {
  PIECE_START.lastIndex = at;
  return PIECE_START.test(source);
}
