import { JsonScan } from '../../platform/json/json-scan.js';
import type { Readable } from 'node:stream';
import type { FetchLike } from '@modelcontextprotocol/client';
import { Agent, type Dispatcher, request } from 'undici';
import { withDeadline } from '../../platform/resilience/with-deadline.js';
import { guardedConnector } from '../../platform/net/ssrf-guard.js';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import { canDecode } from '../../platform/net/content-decoder.js';
import { decoded } from './decoded-body.js';
import { ServerExchange } from './server-exchange.js';
import { LongTexts } from './long-texts.js';
import { failureOfStatus, isLostBody, serverFailure } from './server-failure.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** Time for requests outside of an exchange: the end of a session, and the notification of a cancelled call. */
const NOTICE_TIMEOUT_MS = 2_000;

const NO_STREAM = 405;
const EMPTY_BODY = new Set([204, 205, 304]);

/**
 * The `fetch` of one MCP session. Connects to public addresses and to the origin that the admin entered; follows no
 * redirect; counts each response for the current exchange.
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
    const method = methodOf(init.body);
    const exchange = method === 'notifications/cancelled' ? undefined : ServerExchange.current;
    const isResumed = init.method === 'GET';
    exchange?.begin(isResumed);
    try {
      const response = await this.send(url, init, exchange, method);
      if (exchange !== undefined) return await toResponse(response, exchange, method === 'tools/call');
      // Nothing bounds a body outside of an exchange.
      drop(response.body);
      return new Response(null, { status: response.statusCode });
    } catch (error) {
      if (exchange === undefined) throw error;
      // The client resumes again.
      if (isResumed && isPassing(error)) exchange.end();
      else exchange.fail(error);
      throw error;
    }
  };

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.agent.destroy().catch(() => undefined);
  }

  private async send(
    url: string | URL,
    init: RequestInit,
    exchange: ServerExchange | undefined,
    method: string | null,
  ): Promise<Dispatcher.ResponseData> {
    const ask = (limit: AbortSignal) =>
      request(url, {
        method: init.method as Dispatcher.HttpMethod,
        headers: { ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' },
        body: init.body as string | undefined,
        signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
        dispatcher: this.agent,
      });
    const response =
      exchange === undefined
        ? await withDeadline(NOTICE_TIMEOUT_MS, new AbortController().signal, ask)
        : await ask(exchange.signal);
    const problem = problemOf(response);
    if (problem === null) return response;
    // After such an answer to another message, such as the reply to a ping, the call itself may be running.
    if (method === 'tools/call' && exchange !== undefined && hasSession(init.headers)) {
      exchange.isSessionLost = await saysThatSessionIsLost(response);
    }
    drop(response.body);
    throw problem;
  }
}

/** The response headers that the client reads. */
const READ_HEADERS = ['content-type', 'mcp-session-id', 'www-authenticate'];

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

const hasSession = (headers: RequestInit['headers']): boolean => new Headers(headers).has('mcp-session-id');

/** Characters of an error that are read, and the time for them. */
const ERROR_CHARACTERS = 2_000;
const ERROR_TIMEOUT_MS = 2_000;

/** Whether an error says that the server does not have the session: by its status, or by its text. */
async function saysThatSessionIsLost({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<boolean> {
  if (statusCode === 404 || statusCode === 410) return true;
  if (statusCode >= 500 || statusCode === 429) return false;
  const timer = setTimeout(() => body.destroy(), ERROR_TIMEOUT_MS);
  let text = '';
  try {
    const content = decoded(body, encodingOf(headers), () => undefined);
    for await (const chunk of content as AsyncIterable<Buffer>) {
      text += chunk.toString('latin1');
      if (text.length > ERROR_CHARACTERS) break;
    }
  } catch {
    // The beginning of a body that breaks off may say it.
  } finally {
    clearTimeout(timer);
  }
  return isLostBody(text);
}

/** The method of a message of the client; null for a reply and without a body. */
function methodOf(body: unknown): string | null {
  if (typeof body !== 'string') return null;
  return (JSON.parse(body) as { method?: string }).method ?? null;
}

function problemOf({ statusCode, headers }: Dispatcher.ResponseData): Error | null {
  if (statusCode >= 300 && statusCode < 400) return new OutboundFailure('redirect', statusCode);
  if (statusCode >= 400) return failureOfStatus(statusCode);
  if (!canDecode(encodingOf(headers))) return new OutboundFailure('invalid_answer');
  return /^text\/html/i.test(headerOf(headers, 'content-type')) ? new OutboundFailure('html') : null;
}

/** A stream of events is read as it arrives; any other body at once, which costs a fraction of a web stream. */
async function toResponse(
  { statusCode: status, headers: given, body }: Dispatcher.ResponseData,
  exchange: ServerExchange,
  isCall: boolean,
): Promise<Response> {
  const headers = READ_HEADERS.filter((name) => given[name] !== undefined).map((name): [string, string] => [
    name,
    headerOf(given, name),
  ]);
  const content = decoded(body, encodingOf(given), (bytes) => exchange.countBytes(bytes, 'compressed'));
  const chunks = counted(content, exchange);
  if (/^text\/event-stream/i.test(headerOf(given, 'content-type'))) {
    return new Response(streamOf(chunks), { status, headers });
  }
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(chunk);
  const whole = Buffer.concat(pieces);
  // The client drops an error without the id of a request.
  const text = isCall && whole.length <= ERROR_CHARACTERS ? whole.toString('utf8') : '';
  if (/"error"/.test(text) && !/"id":\s*\d/.test(text)) exchange.isSessionLost = isLostBody(text);
  return new Response(EMPTY_BODY.has(status) ? null : whole, { status, headers });
}

const LINE_END = /[\r\n]/;

/** Scans JSON, or a stream of events with JSON in each line. */
function scanLines(scan: JsonScan, chunk: Buffer): void {
  for (const [index, line] of chunk.toString('latin1').split(LINE_END).entries()) {
    if (index > 0) scan.endLine();
    scan.write(line);
  }
}

/** The decoded bytes of a response, counted for the exchange while they arrive. The connection closes when reading stops early. */
async function* counted(body: Readable, exchange: ServerExchange): AsyncGenerator<Uint8Array, undefined> {
  const scan = new JsonScan(exchange.bounds.json);
  const texts = new LongTexts();
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      exchange.countBytes(chunk.length, 'decoded');
      const kept = texts.cut(chunk);
      scanLines(scan, kept);
      yield kept;
    }
    exchange.end();
  } catch (error) {
    throw exchange.fail(error);
  }
}

const streamOf = (chunks: AsyncGenerator<Uint8Array, undefined>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: async () => void (await chunks.return(undefined)),
  });

/** Closes the connection of a response that is not read. */
function drop(body: Readable): void {
  body.on('error', () => undefined).destroy();
}
