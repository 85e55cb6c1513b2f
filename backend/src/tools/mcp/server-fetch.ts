import type { Readable } from 'node:stream';
import type { FetchLike } from '@modelcontextprotocol/client';
import { Agent, type Dispatcher } from 'undici';
import { JsonScan } from '../../platform/json/json-scan.js';
import { canDecode } from '../../platform/net/content-decoder.js';
import { guardedConnector } from '../../platform/net/ssrf-guard.js';
import { withDeadline } from '../../platform/resilience/with-deadline.js';
import { decodedText } from '../../platform/system/decoded-text.js';
import { Slices } from '../../platform/system/slices.js';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import { decoded } from './decoded-body.js';
import { JsonTrim } from './json-trim.js';
import { MessageStream } from './message-stream.js';
import { requestMoved } from './moved-request.js';
import {
  type AskedRequest,
  isAnswer,
  isAsTaken,
  isErrorWithoutId,
  isSameId,
  parseJson,
  readMessages,
  type RpcMessage,
} from './rpc-messages.js';
import { isFields } from '../../platform/json/fields.js';
import { ServerExchange } from './server-exchange.js';
import { failureOfStatus, isLostBody, serverFailure } from './server-failure.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** Time for requests outside of an exchange: the end of a session, and the notification of a cancelled call. */
const NOTICE_TIMEOUT_MS = 2_000;

const NO_STREAM = 405;

/** Bytes of a response that nothing reads, for which its connection stays open. */
const UNREAD_BYTES = 64 * 1024;

/** Time that a stream gets to end after its answer, so that its connection can be used again. */
const END_TIMEOUT_MS = 500;

/**
 * The `fetch` of one MCP session. Connects to public addresses and to the origin that the admin entered; follows no
 * redirect to another; counts each response for the current exchange, and gives its messages to the client as the client takes them.
 */
export class ServerFetch {
  private readonly agent: Agent;

  constructor(url: URL) {
    const connect = guardedConnector({ timeout: CONNECT_TIMEOUT_MS, trustedOrigin: url.origin });
    this.agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, connections: 8, maxHeaderSize: 32 * 1024 });
  }

  readonly fetch: FetchLike = async (url, init = {}) => {
    // The client would keep a stream open for notifications. Without it a session needs no connection between calls.
    if (init.method === 'GET' && !isResumption(init.headers)) return new Response(null, { status: NO_STREAM });
    const { id, method } = messageIn(init.body);
    const exchange = method === 'notifications/cancelled' ? undefined : ServerExchange.current;
    if (exchange === undefined) return this.notify(url, init);
    const isResumed = init.method === 'GET';
    if (method !== undefined && id !== undefined) exchange.asked = { id, method };
    exchange.begin(isResumed);
    try {
      const response = await this.send(url, init, exchange.signal);
      const isAsking = isResumed || (method !== undefined && id !== undefined);
      if (isAsking && exchange.asked !== null)
        return await read(response, exchange, exchange.asked, new Headers(init.headers));
      const problem = problemOf(response);
      // A server without sessions may refuse it. The next request tells whether the server answers.
      if (problem !== null && method !== 'notifications/initialized') throw dropped(response, problem);
      leaveUnread(response);
      exchange.end();
      return new Response(null, { status: ACCEPTED });
    } catch (error) {
      // The client resumes again.
      if (isResumed && isPassing(error)) exchange.end();
      else exchange.fail(error);
      throw error;
    }
  };

  async close(): Promise<void> {
    await this.agent.destroy().catch(() => undefined);
  }

  /** Sends a message outside of an exchange. Nothing bounds its answer, so nothing is read of it. */
  private async notify(url: string | URL, init: RequestInit): Promise<Response> {
    const { signal } = new AbortController();
    const response = await withDeadline(NOTICE_TIMEOUT_MS, signal, (limit) => this.send(url, init, limit));
    drop(response.body);
    return new Response(null, { status: response.statusCode });
  }

  private send(url: string | URL, init: RequestInit, limit: AbortSignal): Promise<Dispatcher.ResponseData> {
    return requestMoved(url, {
      method: init.method as Dispatcher.HttpMethod,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' },
      body: init.body as string | undefined,
      signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
      dispatcher: this.agent,
    });
  }
}

const ACCEPTED = 202;

const headerOf = (headers: Dispatcher.ResponseData['headers'], name: string): string => String(headers[name] ?? '');

/** No compression was asked for; some servers and proxies compress all the same. */
const encodingOf = (headers: Dispatcher.ResponseData['headers']): string =>
  headerOf(headers, 'content-encoding').trim().toLowerCase();

const isResumption = (headers: RequestInit['headers']): boolean => new Headers(headers).has('last-event-id');

/** Whether a server may answer the next time, for example after its restart. */
function isPassing(error: unknown): boolean {
  const { fault, status = 0 } = serverFailure(error);
  return fault === 'unreachable' || fault === 'refused' || status >= 500;
}

/** A message of the client; without a method for a reply, without an id for a notification. */
function messageIn(body: unknown): { id?: number; method?: string } {
  return typeof body === 'string' ? (JSON.parse(body) as { id?: number; method?: string }) : {};
}

function problemOf({ statusCode, headers }: Dispatcher.ResponseData): Error | null {
  if (statusCode >= 300 && statusCode < 400) return new OutboundFailure('redirect', statusCode);
  if (statusCode >= 400) return failureOfStatus(statusCode);
  if (!canDecode(encodingOf(headers))) return new OutboundFailure('invalid_answer');
  return /^(text\/html|application\/xhtml)/i.test(headerOf(headers, 'content-type'))
    ? new OutboundFailure('html')
    : null;
}

/** Reads the response to a request. @throws ServerFailure and other errors that `serverFailure` converts */
async function read(
  response: Dispatcher.ResponseData,
  exchange: ServerExchange,
  asked: AskedRequest,
  sent: Headers,
): Promise<Response> {
  const problem = problemOf(response);
  if (problem === null) return readBody(response, exchange, asked, sent.get('last-event-id'));
  const isRead = asked.method === 'tools/call' || asked.method === 'initialize';
  if (!isRead || response.statusCode < 400) throw dropped(response, problem);
  const text = await errorIn(response);
  if (asked.method === 'initialize') {
    exchange.refusal = text;
    throw problem;
  }
  exchange.isSessionLost = sent.has('mcp-session-id') && isLost(response.statusCode, text);
  const answer = exchange.isSessionLost ? null : errorOfCall(text, asked);
  if (answer === null) throw problem;
  exchange.end();
  return Response.json(answer);
}

/** Characters of an error that are read, and the time for them. */
const ERROR_CHARACTERS = 2_000;
const ERROR_TIMEOUT_MS = 2_000;

/** The beginning of an error, one byte a character. */
async function errorIn({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  const timer = setTimeout(() => body.destroy(), ERROR_TIMEOUT_MS);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of decoded(body, encodingOf(headers), () => undefined) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > ERROR_CHARACTERS) break;
    }
  } catch {
    // The beginning of a body that breaks off may say enough.
  } finally {
    clearTimeout(timer);
    drop(body);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Whether an error says that the server does not have the session: by its status, or by its text. */
function isLost(status: number, text: string): boolean {
  if (status === 404 || status === 410) return true;
  return status < 500 && status !== 429 && isLostBody(text);
}

/** The error of a call in the body of a status that is no success: the model can mend its arguments by it. */
function errorOfCall(text: string, asked: AskedRequest): RpcMessage | null {
  try {
    const [value] = parseJson(text).values;
    const isOfCall = isFields(value) && isFields(value['error']) && isSameId(value['id'], asked.id);
    return isOfCall ? (readMessages([value], asked)[0] ?? null) : null;
  } catch {
    return null;
  }
}

/** The first characters of a body that is JSON, and of one that is a stream of events. */
const JSON_START = /^[\uFEFF\s]*[[{]/;
const EVENT_START = /^\uFEFF?(data|event|id|retry)?:/;

/**
 * Reads a body as what it is: servers call JSON text or a stream, and a stream JSON. A stream is read as it arrives; any
 * other body at once, which costs a fraction of a web stream.
 */
async function readBody(
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
    decoded(body, encodingOf(headers), (count) => exchange.countBytes(count, 'compressed')),
    exchange,
  );
  const first = await firstOf(bytes);
  const start = first.subarray(0, ERROR_CHARACTERS).toString('utf8');
  const isNamedStream = /^text\/event-stream/i.test(headerOf(headers, 'content-type'));
  const isStream = !JSON_START.test(start) && (isNamedStream || EVENT_START.test(start));
  if (!isStream) {
    const messages = await messagesOf(bytes, first, exchange, asked);
    exchange.end();
    return new Response(messages, { headers: type('application/json') });
  }
  const messages = new MessageStream(asked, exchange.bounds.json, resumedAt);
  const events = eventsOf(bytes, first, exchange, messages, () => drop(body));
  return new Response(streamOf(events), { headers: type('text/event-stream') });
}

type Bytes = AsyncGenerator<Buffer, undefined>;

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
  exchange.isSessionLost =
    asked.method === 'tools/call' &&
    values.some((value) => isErrorWithoutId(value) && isLostBody(JSON.stringify(value)));
  return JSON.stringify(messages);
}

/** The events of a stream. They end with the answer, and the connection soon after it. */
async function* eventsOf(
  bytes: Bytes,
  first: Buffer,
  exchange: ServerExchange,
  messages: MessageStream,
  close: () => void,
): AsyncGenerator<string, undefined> {
  const trim = new JsonTrim(exchange.bounds.trim, true);
  const push = (chunk: Buffer): string => {
    const piece = trim.trim(chunk);
    exchange.countBytes(piece.length, 'kept');
    return messages.push(piece);
  };
  try {
    yield push(first);
    while (!messages.isAnswered) {
      const { done, value } = await bytes.next();
      yield done ? messages.end() : push(value);
      if (done) break;
    }
    exchange.end();
  } catch (error) {
    if (messages.isResumable && isPassing(error)) exchange.end();
    else exchange.fail(error);
    throw error;
  }
  void endSoon(bytes, close);
}

/** Lets a stream end, or ends it: a server may keep it open for ever. */
async function endSoon(bytes: Bytes, close: () => void): Promise<void> {
  const timer = setTimeout(close, END_TIMEOUT_MS).unref();
  for (let isOpen = true; isOpen;) isOpen = (await bytes.next().catch(() => ({ done: true }))).done !== true;
  clearTimeout(timer);
}

/** The decoded bytes of a response, counted for the exchange while they arrive. The connection closes when reading stops early. */
async function* counted(body: Readable, exchange: ServerExchange): Bytes {
  const slices = new Slices();
  for await (const chunk of body as AsyncIterable<Buffer>) {
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

/** Reads a little of a body that says nothing, so that its connection can be used again. */
function leaveUnread({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => undefined);
  void body.dump({ limit: UNREAD_BYTES }).catch(() => undefined);
}

/** Closes the connection of a response that is not read. */
function drop(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

function dropped({ body }: Dispatcher.ResponseData, problem: Error): Error {
  drop(body);
  return problem;
}
