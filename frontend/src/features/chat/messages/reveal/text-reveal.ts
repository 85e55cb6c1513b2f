import { lastGraphemeBoundary } from './grapheme-boundary';

/** A shown character is at most 120 ms behind its arrival: this duration and one animation frame of 16 ms. */
const MAX_DURATION_MS = 104;
/** Pieces that arrive faster than this look smooth by themselves. */
const MIN_DURATION_MS = 40;
/** Later arrivals within this time belong to the same piece: the network delivered them together. */
const SAME_PIECE_MS = 8;
/** UTF-16 code units of a typical token. A single token is not split. */
const TOKEN_LENGTH = 8;
/** Weight of the newest gap in the moving average. */
const GAP_WEIGHT = 0.25;

interface Piece {
  length: number;
  arrivedAt: number;
  durationMs: number;
}

/**
 * Spreads text that arrives in large pieces over the time until the next piece is expected. Each piece is revealed evenly
 * from its arrival, independent of the pieces before it, so that late pieces do not add up. Times are milliseconds of one
 * monotonic clock, lengths are UTF-16 code units.
 */
export class TextReveal {
  /** Pieces that are not complete, oldest first. */
  private readonly pieces: Piece[] = [];
  /** Length of the pieces before them. */
  private completed: number;
  private gapMs = 0;
  private pieceStartedAt: number | null = null;
  /** The length of the last view, which ends at a grapheme boundary. */
  private viewed: number;

  /** @param length the length of the text that is visible at once */
  constructor(private length = 0) {
    this.completed = length;
    this.viewed = length;
  }

  /** Records that the text has grown to `length`. A shorter text is another one and visible at once. */
  grow(length: number, now: number): void {
    const added = length - this.length;
    if (added < 0) {
      [this.length, this.viewed] = [length, length];
      this.finish();
    }
    if (added <= 0) return;
    this.learnGap(now);
    const isImmediate = this.gapMs < MIN_DURATION_MS || added <= TOKEN_LENGTH;
    this.pieces.push({ length: added, arrivedAt: now, durationMs: isImmediate ? 0 : this.gapMs });
    this.length = length;
  }

  finish(): void {
    this.pieces.length = 0;
    this.completed = this.length;
  }

  /** The visible length, which decreases with the text alone. */
  visibleLength(now: number): number {
    for (let first = this.pieces[0]; first && progress(first, now) === 1; first = this.pieces[0]) {
      this.completed += first.length;
      this.pieces.shift();
    }
    const visible = this.pieces.reduce((sum, piece) => sum + piece.length * progress(piece, now), this.completed);
    return Math.floor(visible);
  }

  /** The visible part of `text`, which is the text that has grown to the recorded length. */
  view(text: string, now: number): string {
    const length = this.visibleLength(now);
    this.viewed = length < text.length ? lastGraphemeBoundary(text, this.viewed, length) : text.length;
    return text.slice(0, this.viewed);
  }

  private learnGap(now: number): void {
    const gap = this.pieceStartedAt === null ? null : Math.min(now - this.pieceStartedAt, MAX_DURATION_MS);
    if (gap !== null && gap < SAME_PIECE_MS) return;
    this.pieceStartedAt = now;
    if (gap !== null) this.gapMs = this.gapMs === 0 ? gap : this.gapMs + (gap - this.gapMs) * GAP_WEIGHT;
  }
}

/** The revealed share of a piece, from 0 to 1. */
function progress({ arrivedAt, durationMs }: Piece, now: number): number {
  return durationMs === 0 ? 1 : Math.min(1, Math.max(0, (now - arrivedAt) / durationMs));
}
