import { turnsOf } from '../system/in-turns.js';
import { ANSWER_JSON, type JsonBounds, JsonScan, parseWithin } from './json-scan.js';
import { StreamedJson } from './streamed-json.js';

/** Characters that are scanned and parsed in one piece. */
const PIECE_CHARACTERS = 256 * 1024;

/**
 * Parses long JSON in slices: a text of a body, such as the content of a message, or the answer of another server.
 * @throws JsonTooLarge; Error for what is no JSON
 */
export async function parseText(text: string, bounds: JsonBounds): Promise<unknown> {
  const scan = new JsonScan(bounds);
  const streamed = new StreamedJson();
  for (const piece of turnsOf(text, PIECE_CHARACTERS)) {
    scan.write(piece);
    await streamed.write(Buffer.from(piece));
  }
  return streamed.end();
}

/** A text above this is parsed in slices, characters. */
const LONG_TEXT = 512 * 1024;

/** The JSON of another server's answer. @throws JsonTooLarge; Error for what is no JSON */
export async function parseAnswer(text: string): Promise<unknown> {
  return text.length > LONG_TEXT ? parseText(text, ANSWER_JSON) : parseWithin(text, ANSWER_JSON);
}
