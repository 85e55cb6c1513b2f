import { LIMITS, type SourcePart, type ToolPart } from '@tanya/contract';
import { storableJson, toStorableText, truncate } from '../../../platform/json/storable-json.js';
import { SOURCE_BOUNDS, type ToolCallEvent } from '../../../providers/provider.js';
import type { Passage, ToolResult, ToolSource } from '../../../tools/tool.js';
import { newCallId } from '../prompt/prompt-calls.js';
import { endedCall } from '../store/call-states.js';

/** Bytes of arguments as JSON; longer ones are refused, so that a part has room for its result. */
const MAX_ARGUMENT_BYTES = 8 * 1024;

const MAX_DEPTH = 20;

/** Bytes of all results of one message, and the smallest room of one result after that. */
const MAX_RESULTS_BYTES = 256 * 1024;
const LEAST_RESULT_BYTES = 1024;

/** The usual ids of providers; other servers refuse some of the rest. */
const CALL_ID = /^[A-Za-z0-9_-]{1,64}$/;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The provider's id of a call where it is usable and new in the answer, else one that every provider takes. */
export function callIdFor(id: string | null, used: (id: string) => boolean): string {
  return id !== null && CALL_ID.test(id) && !used(id) ? id : newCallId();
}

/** The name of a tool as providers take it back; a model may invent one. */
export const toolNameOf = (name: string): string =>
  name.slice(0, LIMITS.toolName.max).replace(/[^A-Za-z0-9_-]/g, '_') || 'unknown';

/** Arguments that Postgres can store and a part can hold, or the reason for their absence. */
export function argumentsOf({ args, invalid }: ToolCallEvent): { args: unknown; invalid?: string } {
  if (invalid !== undefined) return { args: {}, invalid };
  const storable = storableJson(args, MAX_DEPTH);
  if (storable === undefined) return { args: {}, invalid: 'The arguments are nested too deeply.' };
  if (bytesOf(storable) > MAX_ARGUMENT_BYTES) return { args: {}, invalid: 'The arguments are too long.' };
  return { args: storable };
}

type ResultText = Pick<ToolResult, 'text' | 'isError' | 'isCut'>;

/**
 * A call with its result, cut to the size of a part.
 * @param used bytes of the earlier results of the message
 */
export function withResult(call: ToolPart, result: ResultText, used: number): ToolPart {
  const field = result.isError ? 'error' : 'result';
  const part: ToolPart = { ...endedCall(call, result.isError ? 'failed' : 'done'), truncated: true };
  const partRoom = LIMITS.partBytes - bytesOf({ ...part, [field]: '' });
  const room = Math.min(partRoom, Math.max(MAX_RESULTS_BYTES - used, LEAST_RESULT_BYTES));
  const whole = toStorableText(result.text);
  const kept = cutToBytes(whole, room);
  if (kept.length === whole.length && !result.isCut) delete part.truncated;
  return { ...part, [field]: kept };
}

/** The longest prefix whose JSON form has at most this number of bytes. */
function cutToBytes(text: string, bytes: number): string {
  const start = text.slice(0, bytes);
  if (start.length === text.length && bytesOf(start) <= bytes) return text;
  let [low, high] = [0, start.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesOf(start.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return truncate(text, low);
}

/** A source as a part; null for an address that is not of the web or too long. */
export function sourcePart({ url, title, snippet }: ToolSource, index: number): SourcePart | null {
  const address = toStorableText(url);
  if (address.length > SOURCE_BOUNDS.url || !/^https?:/i.test(address) || !URL.canParse(address)) return null;
  const text = toStorableText(snippet ?? '');
  return {
    type: 'source',
    index,
    url: address,
    title: truncate(toStorableText(title).trim(), SOURCE_BOUNDS.title) || new URL(address).hostname,
    ...(text === '' ? {} : { snippet: truncate(text, SOURCE_BOUNDS.snippet) }),
  };
}

export const passagePart = (index: number, { fileId, url, name, section, label, text }: Passage): SourcePart => ({
  type: 'source',
  index,
  url,
  title: truncate(toStorableText(name), SOURCE_BOUNDS.title),
  fileId,
  section,
  label: truncate(toStorableText(label), SOURCE_BOUNDS.title),
  quote: truncate(toStorableText(text), SOURCE_BOUNDS.snippet),
});

export const sourceText = ({ index, title, url, snippet }: SourcePart): string =>
  [`[${index}] ${title}`, url, snippet].filter(Boolean).join('\n');
