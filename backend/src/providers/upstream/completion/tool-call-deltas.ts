import type { ProviderEvent } from '../../provider.js';

/** Calls of one answer that are collected; further ones are ignored. */
const MAX_CALLS = 32;

/** Characters of the arguments of one call. */
const MAX_ARGUMENTS = 64 * 1024;

/** Characters of a name or an id. */
const MAX_NAME = 200;

type ToolCallEvent = Extract<ProviderEvent, { type: 'tool-call' }>;

/** A piece of a call. Each field may have any type. */
interface CallDelta {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
}

interface Call {
  index: number | null;
  id: string | null;
  name: string;
  arguments: string;
  isTooLong: boolean;
}

/**
 * Collects the calls of a streamed answer from their pieces. Servers differ: pieces are matched by index, else by id; a
 * piece with neither continues the last call, unless it names a function.
 */
export class ToolCallDeltas {
  private readonly calls: Call[] = [];

  get isEmpty(): boolean {
    return this.calls.length === 0;
  }

  /** Adds the `tool_calls` of one delta. @returns whether there was a piece */
  push(pieces: unknown): boolean {
    if (!Array.isArray(pieces)) return false;
    const readable = pieces.filter((piece): piece is CallDelta => typeof piece === 'object' && piece !== null);
    for (const piece of readable) this.add(piece);
    return readable.length > 0;
  }

  /** The calls with a name, in the order in which they began. */
  events(): ToolCallEvent[] {
    return this.calls.filter(({ name }) => name !== '').map(eventOf);
  }

  private add(piece: CallDelta): void {
    const index = Number.isInteger(piece.index) ? Number(piece.index) : null;
    const id = textOf(piece.id) || null;
    const name = textOf(piece.function?.name);
    const call = this.find(index, id, name) ?? this.open(index);
    if (call === null) return;
    call.id ??= id === null ? null : id.slice(0, MAX_NAME);
    // Some servers repeat the whole name with every piece.
    if (call.name === '') call.name = name.slice(0, MAX_NAME);
    const added = argumentsOf(piece.function?.arguments);
    call.isTooLong ||= call.arguments.length + added.length > MAX_ARGUMENTS;
    if (!call.isTooLong) call.arguments += added;
  }

  private find(index: number | null, id: string | null, name: string): Call | undefined {
    if (index !== null) {
      const call = this.calls.findLast((each) => each.index === index);
      // Some servers give every call the index 0, but each an id of its own.
      const isOther = call !== undefined && id !== null && call.id !== null && call.id !== id && name !== '';
      return isOther ? undefined : call;
    }
    if (id !== null) return this.calls.find((each) => each.id === id);
    return name === '' ? this.calls.at(-1) : undefined;
  }

  private open(index: number | null): Call | null {
    if (this.calls.length === MAX_CALLS) return null;
    const call = { index, id: null, name: '', arguments: '', isTooLong: false };
    this.calls.push(call);
    return call;
  }
}

/** Most servers send text; some send the parsed object. */
function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}

function eventOf({ id, name, arguments: json, isTooLong }: Call): ToolCallEvent {
  const call = { type: 'tool-call' as const, id, name };
  if (isTooLong) return { ...call, args: {}, invalid: 'The arguments are too long.' };
  // A function without parameters is called with an empty text by some servers.
  if (json.trim() === '') return { ...call, args: {} };
  try {
    return { ...call, args: JSON.parse(json) as unknown };
  } catch {
    return { ...call, args: {}, invalid: 'The arguments are not valid JSON.' };
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
