import { API_LIMITS } from '@tanya/contract';
import { type Fields, isFields } from '../../../platform/json/fields.js';
import { storableJson } from '../../../platform/json/storable-json.js';

/** Levels of nesting of a JSON value, counted up to one more than `most`. */
function depthOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (most === 0) return 1;
  return 1 + Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner, most - 1)), 0);
}

/** Characters and levels of all details as JSON; larger ones are dropped whole, because a part of them is not valid. */
const MAX = API_LIMITS.reasoningDetails;

/** Fields whose text arrives in pieces. */
const TEXTS = ['text', 'summary', 'thinking'] as const;

/** The blocks of Anthropic's models by LiteLLM, which has them in a field of their own. Details of OpenRouter have other types. */
const BLOCKS: readonly unknown[] = ['thinking', 'redacted_thinking'];

export const isThinkingBlock = (detail: unknown): boolean => isFields(detail) && BLOCKS.includes(detail['type']);

/**
 * Collects the `reasoning_details` and `thinking_blocks` of a streamed answer. Pieces of one detail, those of one type and
 * index, are joined as the provider joins them, those of a block up to its signature; everything else stays as it was sent,
 * except for characters that Postgres refuses.
 */
export class ReasoningDetails {
  private readonly details: unknown[] = [];
  private characters = 0;

  push(pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces as unknown[]) {
      this.characters += depthOf(piece, MAX.depth - 1) < MAX.depth ? (JSON.stringify(piece)?.length ?? 0) : Infinity;
      if (this.characters <= MAX.characters) this.add(piece);
    }
  }

  /** The details in order; an empty list when they were too many or nested too deeply. */
  all(): unknown[] {
    return this.characters <= MAX.characters ? (storableJson(this.details, MAX.depth) as unknown[]) : [];
  }

  private add(piece: unknown): void {
    const last = this.details.at(-1);
    if (isFields(piece) && isFields(last) && isPieceOf(last, piece)) {
      const texts = TEXTS.flatMap((field) => {
        const [before, after] = [last[field], piece[field]];
        return typeof before === 'string' && typeof after === 'string' ? [[field, before + after]] : [];
      });
      // LiteLLM has an empty signature in each piece but one.
      const given = Object.entries(piece).filter(([, value]) => value !== null && value !== undefined && value !== '');
      this.details[this.details.length - 1] = { ...last, ...Object.fromEntries(given), ...Object.fromEntries(texts) };
    } else if (!isEmptyBlock(piece)) this.details.push(piece);
  }
}

/** A block that says nothing, as behind a signature. */
const isEmptyBlock = (piece: unknown): boolean =>
  isFields(piece) && piece['type'] === 'thinking' && !piece['thinking'] && !piece['signature'];

const isPieceOf = (last: Fields, piece: Fields): boolean =>
  last['type'] === piece['type'] &&
  (typeof piece['index'] === 'number' ? last['index'] === piece['index'] : isOpenBlock(last)) &&
  TEXTS.some((field) => field in last || field in piece);

const isOpenBlock = ({ type, signature }: Fields): boolean => type === 'thinking' && !signature;
