import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { inSlices } from '../system/slices.js';

/** Characters that are written at once. */
const PIECE = 16 * 1024;

/** Answers with a long list as JSON. It is made and written in pieces: in one turn it would hold the event loop. */
export async function sendJsonList(response: Response, entries: Iterable<unknown>): Promise<void> {
  response.type('json');
  await pipeline(inSlices(piecesOf(entries)), response).catch((error: unknown) => {
    // The status is sent already: a disconnect, whose errors have codes, can only cut the list.
    if (!(error instanceof Error && 'code' in error)) throw error;
    response.destroy();
  });
}

function* piecesOf(entries: Iterable<unknown>): Generator<string> {
  let piece = '[';
  let separator = '';
  for (const entry of entries) {
    piece += separator + JSON.stringify(entry);
    separator = ',';
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]`;
}
