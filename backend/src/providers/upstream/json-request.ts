import { jsonPieces } from '../../platform/json/json-writer.js';
import { inSlices } from '../../platform/system/slices.js';

interface JsonRequest {
  body: Buffer | ReadableStream;
  headers: Record<string, string>;
}

/**
 * Body and headers of a request with JSON. The SDK would write it in one piece, 0.1 s for 32 MB. Long JSON is written
 * twice: once for its length, which many servers require, and again while it is sent. Kept in between, it would take as
 * much memory as the value.
 */
export async function jsonRequest(value: unknown): Promise<JsonRequest> {
  let [bytes, count, first] = [0, 0, ''];
  for await (const piece of inSlices(jsonPieces(value))) {
    bytes += Buffer.byteLength(piece);
    count += 1;
    first ||= piece;
  }
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes) };
  const body = count === 1 ? Buffer.from(first) : ReadableStream.from(inSlices(jsonPieces(value)));
  return { body, headers };
}
