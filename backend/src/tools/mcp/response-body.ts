import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { JsonScan } from '../../platform/json/json-scan.js';
import { decodedText } from '../../platform/system/decoded-text.js';
import { Slices } from '../../platform/system/slices.js';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import { decoded } from './decoded-body.js';
import { JsonTrim } from './json-trim.js';
import { MessageStream } from './message-stream.js';
import { type AskedRequest, isAnswer, isAsTaken, parseJson, readMessages, tellOfLostSession } from './rpc-messages.js';
import type { ServerExchange } from './server-exchange.js';
import { isPassing } from './server-failure.js';
import type { SharedAnswer } from './shared-stream.js';

export const EVENTS = 'text/event-stream';

export const headerOf = (headers: Dispatcher.ResponseData['headers'], name: string): string =>
  String(headers[name] ?? '');

/** No compression was asked for; some servers and proxies compress all the same. */
export const encodingOf = (headers: Dispatcher.ResponseData['headers']): string =>
  headerOf(headers, 'content-encoding').trim().toLowerCase();

/** The first characters of a body that is JSON, and of one that is a stream of events. */
const JSON_START = /^[\uFEFF\s]*[[{]/;
const EVENT_START = /^\uFEFF?(data|event|id|retry)?:/;
/** The beginning of the stream of two addresses, which some servers open for every method. */
const ENDPOINT_START = /^\uFEFF?(?:(?::|id:|retry:)[^\r\n]{0,200}[\r\n]{1,4}){0,4}event: ?endpoint[\r\n]/;
/** Bytes that tell what a body is. */
const START_BYTES = 2_000;

/**
 * Reads a body as what it is: servers call JSON text or a stream, and a stream JSON. A stream is read as it arrives; any
 * other body at once, which costs a fraction of a web stream.
 */
export async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  exchange: ServerExchange,
  asked: AskedRequest,
  resumedAt: string | null,
): Promise<Response> {
  const session = headers['mcp-session-id'];
  const type = (name: string) => ({
    'content-type': name,
    ...(session !== undefined && { 'mcp-session-id': String(session) }),
  });
  const bytes = counted(
    decoded(body, encodingOf(headers), (count) => exchange.countBytes(count, 'compressed')) as AsyncIterable<Buffer>,
    exchange,
  );
  const first = await firstOf(bytes);
  const start = first.subarray(0, START_BYTES).toString('utf8');
  if (asked.method === 'initialize' && ENDPOINT_START.test(start)) {
    drop(body);
    throw new OutboundFailure('invalid_answer');
  }
  const isNamedStream = /^text\/event-stream/i.test(headerOf(headers, 'content-type'));
  const isStream = !JSON_START.test(start) && (isNamedStream || EVENT_START.test(start));
  if (!isStream) {
    const messages = await messagesOf(bytes, first, exchange, asked);
    exchange.end();
    return new Response(messages, { headers: type('application/json') });
  }
  const messages = new MessageStream(asked, exchange.bounds.json, resumedAt);
  const events = eventsOf(bytes, first, exchange, messages, () => void endSoon(bytes, () => drop(body)));
  return new Response(streamOf(events), { headers: type(EVENTS) });
}

/** The answer to a request in the stream that a server has for all of them. */
export function readShared(answer: SharedAnswer, exchange: ServerExchange, asked: AskedRequest): Response {
  const messages = new MessageStream({ ...asked, isAmongOthers: true }, exchange.bounds.json);
  const events = eventsOf(answer.bytes(), Buffer.alloc(0), exchange, messages, () => answer.close());
  return new Response(streamOf(events), { headers: { 'content-type': EVENTS } });
}

/** A body while it arrives. */
export type Bytes = AsyncGenerator<Buffer, undefined>;

/** The first piece of a body that is more than blanks, which mean nothing there. Empty at its end. */
async function firstOf(bytes: Bytes): Promise<Buffer> {
  for (;;) {
    const { done, value } = await bytes.next();
    if (done) return Buffer.alloc(0);
    if (value.toString('latin1').trim() !== '') return value;
  }
}

/** The JSON of the messages in a body. @throws OutboundFailure, JsonTooLarge or SyntaxError for one without an answer */
async function messagesOf(
  bytes: Bytes,
  first: Buffer,
  exchange: ServerExchange,
  asked: AskedRequest,
): Promise<Buffer | string> {
  const trim = new JsonTrim(exchange.bounds.trim, false);
  const scan = new JsonScan(exchange.bounds.json);
  const pieces: Buffer[] = [];
  const keep = (chunk: Buffer): void => {
    const piece = trim.trim(chunk);
    exchange.countBytes(piece.length, 'kept');
    scan.writeBytes(piece);
    pieces.push(piece);
  };
  keep(first);
  for await (const chunk of bytes) keep(chunk);
  const whole = Buffer.concat(pieces);
  const parsed = parseJson(await decodedText(whole));
  if (isAsTaken(parsed, asked)) return whole;
  const { values } = parsed;
  const messages = readMessages(values, asked);
  if (!messages.some(isAnswer)) throw new OutboundFailure('invalid_answer');
  exchange.isSessionLost = tellOfLostSession(values, asked);
  return JSON.stringify(messages);
}

/** The events of a stream. They end with the answer. @param finish called after them */
async function* eventsOf(
  bytes: Bytes,
  first: Buffer,
  exchange: ServerExchange,
  messages: MessageStream,
  finish: () => void,
): AsyncGenerator<string, undefined> {
  const trim = new JsonTrim(exchange.bounds.trim, true);
  const told = (written: string): string => {
    exchange.isSessionLost ||= messages.isSessionLost;
    return written;
  };
  const push = (chunk: Buffer): string => {
    const piece = trim.trim(chunk);
    exchange.countBytes(piece.length, 'kept');
    return told(messages.push(piece));
  };
  try {
    yield push(first);
    while (!messages.isAnswered) {
      const { done, value } = await bytes.next();
      yield done ? told(messages.end()) : push(value);
      if (done) break;
    }
    exchange.end();
  } catch (error) {
    if (messages.isResumable && isPassing(error)) exchange.end();
    else exchange.fail(error);
    throw error;
  }
  finish();
}

/** Time that a stream gets to end after its answer, so that its connection can be used again. */
const END_TIMEOUT_MS = 500;

/** Lets a stream end, or ends it: a server may keep it open for ever. */
async function endSoon(bytes: Bytes, close: () => void): Promise<void> {
  const timer = setTimeout(close, END_TIMEOUT_MS).unref();
  for (let isOpen = true; isOpen;) isOpen = (await bytes.next().catch(() => ({ done: true }))).done !== true;
  clearTimeout(timer);
}

/** The decoded bytes of a response, counted for the exchange while they arrive. The connection closes when reading stops early. */
async function* counted(body: AsyncIterable<Buffer>, exchange: ServerExchange): Bytes {
  const slices = new Slices();
  for await (const chunk of body) {
    exchange.countBytes(chunk.length, 'decoded');
    yield chunk;
    // What has arrived already would be read in one turn.
    await slices.pause();
  }
}

const streamOf = (events: AsyncGenerator<string, undefined>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await events.next();
        if (done) controller.close();
        else controller.enqueue(Buffer.from(value));
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: async () => void (await events.return(undefined)),
  });

/** Closes the connection of a response that is not read. */
export function drop(body: Readable): void {
  body.on('error', () => undefined).destroy();
}
