import {
  derivedParts,
  type ImagePart,
  type MessagePart,
  parseContent,
  type ReasoningPart,
  type SourcePart,
  type ToolPart,
} from '@tanya/contract';

/** Reasoning whose provider names it `reasoning_content` and may require it back under that name. */
interface NamedReasoning extends ReasoningPart {
  name?: 'reasoning_content';
}

/** A part of an answer with what only the server needs. */
export type AnswerPart = Exclude<MessagePart, ReasoningPart> | NamedReasoning;

/**
 * A part as it is stored. Text and reasoning stand in their own columns, so that search, exports and nodes of the previous
 * version read them there; here stands the length of each part of them, in UTF-16 units.
 */
export type StoredPart =
  | { type: 'text'; length: number }
  | ({ type: 'reasoning'; length: number } & Pick<NamedReasoning, 'ms' | 'name'>)
  | ToolPart
  | SourcePart
  | ImagePart;

export type PartEntry = [index: number, part: StoredPart];

export function toStoredPart(part: AnswerPart): StoredPart {
  if (part.type === 'text') return { type: 'text', length: part.text.length };
  if (part.type !== 'reasoning') return part;
  const { text, ms, name } = part;
  return { type: 'reasoning', length: text.length, ...(ms !== undefined && { ms }), ...(name && { name }) };
}

export function toMessagePart(part: AnswerPart): MessagePart {
  if (part.type !== 'reasoning') return part;
  const { name: _, ...sent } = part;
  return sent;
}

/** Whether text and reasoning alone give the parts: at most one of each, the reasoning first. */
export function arePlain(parts: readonly MessagePart[]): boolean {
  const [first, second] = parts;
  if (parts.length > 2) return false;
  if (second === undefined) return first === undefined || first.type === 'text' || first.type === 'reasoning';
  return first?.type === 'reasoning' && second.type === 'text';
}

/** Whether the columns of text and reasoning give the parts whole, so that they are not stored. */
export const isDerivable = (parts: readonly MessagePart[]): boolean =>
  arePlain(parts) && parts.every((part) => part.type !== 'reasoning' || part.ms === undefined);

/** The parts of an AI message's row; those of older messages, and of answers in one piece, follow from its columns. */
export function partsOf(row: { content: string; reasoning: string | null; parts: StoredPart[] | null }): AnswerPart[] {
  const content = parseContent(row.content);
  if (row.parts === null) return derivedParts(content, row.reasoning);
  return withText(row.parts, content.text, row.reasoning ?? '');
}

/**
 * The parts of a running answer as of its checkpoints. An index without an entry has no part.
 * @param entries of all checkpoints, oldest first
 */
export function checkpointedParts(entries: readonly PartEntry[], text: string, reasoning: string): AnswerPart[] {
  if (entries.length === 0) return derivedParts({ text }, reasoning);
  const parts: StoredPart[] = [];
  for (const [index, part] of entries) parts[index] = part;
  return withText(
    parts.filter(() => true),
    text,
    reasoning,
  );
}

/** Cuts text and reasoning into their parts. Text beyond the stored lengths becomes a last part. */
function withText(stored: readonly StoredPart[], text: string, reasoning: string): AnswerPart[] {
  const at = { text: 0, reasoning: 0 };
  const all = { text, reasoning };
  const parts = stored.map((part): AnswerPart => {
    if (part.type !== 'text' && part.type !== 'reasoning') return part;
    const { length, ...rest } = part;
    const start = at[part.type];
    at[part.type] += length;
    return { ...rest, text: all[part.type].slice(start, start + length) };
  });
  if (at.text < text.length) parts.push({ type: 'text', text: text.slice(at.text) });
  return parts;
}
