import { randomUUID } from 'node:crypto';
import { inSlices, Slices, textPieces } from '../system/slices.js';
import { ANSWER_JSON, type JsonBounds, JsonScan, parseWithin } from './json-scan.js';
import { StreamedJson } from './streamed-json.js';

/**
 * Parses long JSON in slices: a text of a body, such as the content of a message, or the answer of another server. Long texts
 * in it, such as pictures, are parts of the given text: a copy of each would take as much memory again.
 * @throws JsonTooLarge; Error for text that is not JSON
 */
export async function parseText(text: string, bounds: JsonBounds): Promise<unknown> {
  const scan = new JsonScan(bounds);
  for await (const piece of inSlices(textPieces(text))) scan.write(piece);
  const cut = new CutTexts(text, scan.longTexts);
  for (const long of cut.texts.values()) {
    for await (const piece of inSlices(textPieces(long)))
      if (CONTROL.test(piece)) throw new SyntaxError('A text of JSON holds a control character');
  }
  const streamed = new StreamedJson();
  for await (const piece of inSlices(textPieces(cut.json))) await streamed.write(Buffer.from(piece));
  return cut.restored(streamed.end());
}

/** Characters below the space, which JSON has only as escapes. */
const CONTROL = /[^ -\uffff]/;

/** Values that are looked at without a look at the clock. */
const SLICE_VALUES = 1_000;

/** JSON with names in place of its long texts. */
class CutTexts {
  readonly json: string;
  readonly texts = new Map<string, string>();

  constructor(text: string, longTexts: JsonScan['longTexts']) {
    const pieces: string[] = [];
    // No text of a client can be one of these names.
    const prefix = randomUUID();
    let at = 0;
    for (const [index, { start, end }] of longTexts.entries()) {
      const name = `${prefix}:${index}`;
      this.texts.set(name, text.slice(start, end));
      pieces.push(text.slice(at, start), name);
      at = end;
    }
    this.json = longTexts.length === 0 ? text : pieces.join('') + text.slice(at);
  }

  /** Puts the texts back into the parsed value. */
  async restored(value: unknown): Promise<unknown> {
    if (this.texts.size === 0) return value;
    const root = { value };
    const open: Record<string, unknown>[] = [root];
    const slices = new Slices();
    for (let seen = 1; open.length > 0; seen += 1) {
      const fields = open.pop()!;
      for (const [name, field] of Object.entries(fields)) {
        const text = typeof field === 'string' ? this.texts.get(field) : undefined;
        if (text !== undefined) fields[name] = text;
        else if (typeof field === 'object' && field !== null) open.push(field as Record<string, unknown>);
      }
      if (seen % SLICE_VALUES === 0) await slices.pause();
    }
    return root.value;
  }
}

/** A text above this is parsed in slices, characters. */
const LONG_TEXT = 512 * 1024;

/** The JSON of another server's answer. @throws JsonTooLarge; Error for text that is not JSON */
export async function parseAnswer(text: string): Promise<unknown> {
  return text.length > LONG_TEXT ? parseText(text, ANSWER_JSON) : parseWithin(text, ANSWER_JSON);
}

/** JSON that this server has written. */
export async function parseOwn(text: string): Promise<unknown> {
  if (text.length <= LONG_TEXT) return JSON.parse(text);
  const streamed = new StreamedJson();
  await streamed.write(Buffer.from(text));
  return streamed.end();
}
