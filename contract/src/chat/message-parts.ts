/** State of a tool call. `waiting` waits for the user's approval; the last four are final. */
export type ToolState = 'running' | 'waiting' | 'done' | 'failed' | 'denied' | 'interrupted';

export interface TextPart {
  type: 'text';
  text: string;
}

export interface ReasoningPart {
  type: 'reasoning';
  text: string;
  /** Time from the first to the last of it, ms. */
  ms?: number;
}

export interface ToolPart {
  type: 'tool';
  callId: string;
  tool: string;
  title: string;
  args: unknown;
  state: ToolState;
  /** Set while a `waiting` call that the user has allowed waits for the decisions about the other calls of its step. */
  approved?: true;
  /** The result, plain text. */
  result?: string;
  /** Whether the result was cut to the size of a part. */
  truncated?: boolean;
  /** Why the call failed. */
  error?: string;
  /** Duration of the call, ms. */
  ms?: number;
}

/** A source, which the text cites as `[index]`. */
export interface SourcePart {
  type: 'source';
  /** From 1. */
  index: number;
  url: string;
  title: string;
  snippet?: string;
  /** A passage of a file of a project: `url` is its page, `title` the name of the file. */
  fileId?: string;
  /** Index of the section in the file, from 0. */
  section?: number;
  /** Of the section, such as `page 3`. */
  label?: string;
  /** The part of the passage that fits the answer best, or its beginning. */
  quote?: string;
}

export interface ImagePart {
  type: 'image';
  url: string;
  alt: string;
}

/** One part of an AI message. Later versions add types: a client ignores a part of an unknown type. */
export type MessagePart = TextPart | ReasoningPart | ToolPart | SourcePart | ImagePart;

export type PartChange =
  | { type: 'text-delta' | 'reasoning-delta'; text: string; part?: number }
  | { type: 'part'; index: number; part: MessagePart };

export const isPartChange = <T extends { type: string }>(event: T): event is T & PartChange =>
  event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'part';

const TYPE_OF_DELTA = { 'text-delta': 'text', 'reasoning-delta': 'reasoning' } as const;

/**
 * Applies one event to the parts of a message. A delta without an index, sent by an older server, extends the last part
 * if that has its type.
 * @returns new parts; unchanged ones are the same objects
 */
export function applyPartChange(parts: readonly MessagePart[], change: PartChange): MessagePart[] {
  if (change.type === 'part') return withPart(parts, change.index, change.part);
  const type = TYPE_OF_DELTA[change.type];
  const last = parts.at(-1)?.type === type ? parts.length - 1 : parts.length;
  const index = change.part ?? last;
  const current = parts[index];
  const text = current?.type === type ? current.text + change.text : change.text;
  return withPart(parts, index, { ...(current?.type === type ? current : null), type, text });
}

/** A gap before the index, which a correct server does not leave, is filled with empty text. */
function withPart(parts: readonly MessagePart[], index: number, part: MessagePart): MessagePart[] {
  const changed = [...parts];
  while (changed.length < index) changed.push({ type: 'text', text: '' });
  changed[index] = part;
  return changed;
}

/** The parts of an answer that was written without any: its reasoning, and its text or its image. */
export function derivedParts(
  { text, imageUrl }: { text: string; imageUrl?: string },
  reasoning: string | null,
): MessagePart[] {
  const parts: MessagePart[] = reasoning ? [{ type: 'reasoning', text: reasoning }] : [];
  if (imageUrl) parts.push({ type: 'image', url: imageUrl, alt: text });
  else if (text !== '') parts.push({ type: 'text', text });
  return parts;
}

/** The text of the parts of one type, joined without a separator. */
export const textOfParts = (parts: readonly MessagePart[], type: 'text' | 'reasoning'): string =>
  parts.map((part) => (part.type === type ? part.text : '')).join('');
