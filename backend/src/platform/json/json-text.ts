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
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + PIECE_CHARACTERS, text.length);
    // Both halves of a pair become one character of UTF-8.
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    const piece = text.slice(at, Math.max(end, at + 1));
    scan.write(piece);
    await streamed.write(Buffer.from(piece));
    at += piece.length;
  }
  return streamed.end();
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** A text above this is parsed in slices, characters. */
const LONG_TEXT = 512 * 1024;

/** The JSON of another server's answer. @throws JsonTooLarge; Error for what is no JSON */
export async function parseAnswer(text: string): Promise<unknown> {
  return text.length > LONG_TEXT ? parseText(text, ANSWER_JSON) : parseWithin(text, ANSWER_JSON);
}
