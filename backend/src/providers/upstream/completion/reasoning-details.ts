/** Characters of all details as JSON; longer ones are dropped whole, because a part of them is not valid. */
const MAX_CHARACTERS = 1_000_000;

type Detail = Record<string, unknown>;

/** Fields whose text arrives in pieces. */
const TEXTS = ['text', 'summary'] as const;

/**
 * Collects the `reasoning_details` of a streamed answer. Pieces of one detail, those of one type and index, are joined as
 * the provider joins them; everything else stays as it was sent.
 */
export class ReasoningDetails {
  private readonly details: unknown[] = [];
  private characters = 0;

  push(pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces as unknown[]) {
      this.characters += JSON.stringify(piece)?.length ?? 0;
      if (this.characters <= MAX_CHARACTERS) this.add(piece);
    }
  }

  /** The details in order; an empty list when they were too many. */
  all(): unknown[] {
    return this.characters <= MAX_CHARACTERS ? this.details : [];
  }

  private add(piece: unknown): void {
    const last = this.details.at(-1);
    if (isDetail(piece) && isDetail(last) && isPieceOf(last, piece)) {
      const texts = TEXTS.flatMap((field) => {
        const [before, after] = [last[field], piece[field]];
        return typeof before === 'string' && typeof after === 'string' ? [[field, before + after]] : [];
      });
      const given = Object.entries(piece).filter(([, value]) => value !== null && value !== undefined);
      this.details[this.details.length - 1] = { ...last, ...Object.fromEntries(given), ...Object.fromEntries(texts) };
    } else this.details.push(piece);
  }
}

const isDetail = (value: unknown): value is Detail =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPieceOf = (last: Detail, piece: Detail): boolean =>
  last['type'] === piece['type'] &&
  typeof piece['index'] === 'number' &&
  last['index'] === piece['index'] &&
  TEXTS.some((field) => field in last || field in piece);
