import { type MessagePart, parseContent } from '@tanya/contract';
import { inSlices } from '../../../platform/system/slices.js';
import { estimateTokens, MESSAGE_OVERHEAD } from '../../../providers/token-estimate.js';
import { resultOf, SHORT_RESULT_TOKENS } from './prompt-calls.js';
import type { PathMessage, PromptPath } from './prompt.js';
import { cutWithMark } from './tokens.js';

/** Complete turns before the new message that stay whole. */
const KEPT_TURNS = 2;

/** The text of a part for models; null for one that they do not read. */
function textOfPart(part: MessagePart): string | null {
  if (part.type === 'text') return part.text;
  return part.type === 'tool' ? `[${part.tool}(${JSON.stringify(part.args ?? {})}) gave: ${resultOf(part)}]` : null;
}

export function textOf({ content, parts, isUserMessage }: PathMessage): string {
  if (isUserMessage || parts === undefined) return parseContent(content).text;
  return parts.flatMap((part) => textOfPart(part) ?? []).join('\n\n');
}

/** Estimated in slices: a path may have 16 MB. */
export async function pathTokens(rows: readonly PathMessage[]): Promise<number> {
  let tokens = 0;
  for await (const row of inSlices(rows)) tokens += estimateTokens(textOf(row)) + MESSAGE_OVERHEAD;
  return tokens;
}

/** The number of the newest rows that are never summarised: the new message, and the last complete turns before it. */
export function keptRows(rows: readonly PathMessage[]): number {
  let turns = 0;
  for (const [at, row] of rows.entries()) {
    if (row.isUserMessage && turns === KEPT_TURNS) return at + 1;
    if (!row.isUserMessage && row.isComplete) turns += 1;
  }
  return rows.length;
}

/** The path with shorter results of tools in the turns that may be summarised. */
export function withShortResults({ rows, summary }: PromptPath): PromptPath {
  const kept = keptRows(rows);
  const shortened = rows.map((row, at) => {
    if (at < kept || row.parts === undefined) return row;
    const parts = row.parts.map((part) =>
      part.type === 'tool' && part.result !== undefined
        ? { ...part, result: cutWithMark(part.result, SHORT_RESULT_TOKENS) }
        : part,
    );
    return { ...row, parts };
  });
  return { rows: shortened, summary };
}

export interface PathSize {
  /** Estimated, which is high. */
  estimated: number;
  /** By the count of the last answer's provider where it told, else estimated. */
  tokens: number;
}

/** @param rows newest first; the first one may be the new message */
export async function sizeOf({ rows, summary }: PromptPath): Promise<PathSize> {
  const estimated = (await pathTokens(rows)) + (summary === null ? 0 : estimateTokens(summary));
  const added = rows[0]?.isUserMessage ? 1 : 0;
  const counted = rows[added]?.contextTokens ?? null;
  return { estimated, tokens: counted === null ? estimated : counted + (await pathTokens(rows.slice(0, added))) };
}
