import type { FetchLike } from '@modelcontextprotocol/client';
import { Agent, type Dispatcher } from 'undici';
import { canDecode } from '../../platform/net/content-decoder.js';
import { guardedConnector } from '../../platform/net/ssrf-guard.js';
import { withDeadline } from '../../platform/resilience/with-deadline.js';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import { decoded } from './decoded-body.js';
import { requestMoved } from './moved-request.js';
import { drop, encodingOf, EVENTS, headerOf, readBody, readShared } from './response-body.js';
import { type AskedRequest, isSameId, parseJson, readMessages, type RpcMessage } from './rpc-messages.js';
import { isFields } from '../../platform/json/fields.js';
import { ServerExchange } from './server-exchange.js';
import { failureOfStatus, isLostBody, isPassing } from './server-failure.js';
import { type SharedAnswer, SharedStream } from './shared-stream.js';

const CONNECT_TIMEOUT_MS = 10_000;

/** Time for requests outside of an exchange: the end of a session, and the notification of a cancelled call. */
const NOTICE_TIMEOUT_MS = 2_000;

/** Time in which a server of 2024 names its address for messages. Others may keep a stream open without a word. */
const ENDPOINT_TIMEOUT_MS = 5_000;

const NO_STREAM = 405;

/** Bytes of a response that nothing reads, for which its connection stays open. */
const UNREAD_BYTES = 64 * 1024;

/**
 * The `fetch` of one MCP session. Connects to public addresses and to the origin that the admin entered; follows no
 * redirect to another; counts each response for the current exchange, and gives its messages to the client as the client takes them.
 */
export class ServerFetch {
  private readonly agent: Agent;
  private stream: SharedStream | null = null;

  /** @param hasTwoAddresses whether the server is one of 2024: a GET opens its stream, and messages go to another address */
  constructor(
    url: URL,
    private readonly hasTwoAddresses = false,
  ) {
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
    let answer: SharedAnswer | null = null;
    try {
      const isAsking = isResumed || (method !== undefined && id !== undefined);
      const stream = this.hasTwoAddresses ? await this.openStream(url, init, exchange) : null;
      if (isAsking && stream !== null) answer = stream.read(exchange);
      const response = await this.send(stream?.endpoint ?? url, init, exchange.signal);
      if (isAsking && exchange.asked !== null)
        return await read(response, exchange, exchange.asked, new Headers(init.headers), answer);
      const problem = problemOf(response);
      // A server without sessions may refuse it. The next request tells whether the server answers.
      if (problem !== null && method !== 'notifications/initialized') throw dropped(response, problem);
      leaveUnread(response);
      exchange.end();
      return new Response(null, { status: ACCEPTED });
    } catch (error) {
      answer?.close();
      // The client resumes again.
      if (isResumed && isPassing(error)) exchange.end();
      else exchange.fail(error);
      throw error;
    }
  };

  async close(): Promise<void> {
    await this.agent.destroy().catch(() => undefined);
  }

  /** The stream of the session, which the first message opens. @throws OutboundFailure for one that has ended, and others */
  private async openStream(
    url: string | URL,
    { headers }: RequestInit,
    exchange: ServerExchange,
  ): Promise<SharedStream> {
    if (this.stream?.hasEnded) {
      // No message of this exchange has been sent.
      exchange.isSessionLost = true;
      throw new OutboundFailure('unreachable');
    }
    this.stream ??= await withDeadline(ENDPOINT_TIMEOUT_MS, exchange.signal, async (limit) => {
      // The limit is that of the beginning, not of the stream.
      const opening = new AbortController();
      const stop = (): void => opening.abort(limit.reason);
      limit.addEventListener('abort', stop, { once: true });
      const response = await this.send(url, { method: 'GET', headers: withoutBody(headers) }, opening.signal);
      const problem = problemOf(response);
      if (problem !== null) throw dropped(response, problem);
      const bytes = decoded(response.body, encodingOf(response.headers), () => undefined);
      const stream = await SharedStream.open(bytes as AsyncIterable<Buffer>, new URL(url));
      limit.removeEventListener('abort', stop);
      return stream;
    });
    return this.stream;
  }

  /** Sends a message outside of an exchange. Nothing bounds its answer, so nothing is read of it. */
  private async notify(url: string | URL, init: RequestInit): Promise<Response> {
    const { signal } = new AbortController();
    const target = this.stream?.endpoint ?? url;
    const response = await withDeadline(NOTICE_TIMEOUT_MS, signal, (limit) => this.send(target, init, limit));
    drop(response.body);
    return new Response(null, { status: response.statusCode });
  }

  private send(url: string | URL, init: RequestInit, limit: AbortSignal): Promise<Dispatcher.ResponseData> {
    return requestMoved(url, {
      method: init.method as Dispatcher.HttpMethod,
      // Firewalls refuse requests without a name. An admin may enter another one.
      headers: {
        'user-agent': 'tanya',
        ...Object.fromEntries(new Headers(init.headers)),
        'accept-encoding': 'identity',
      },
      body: init.body as string | undefined,
      signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
      dispatcher: this.agent,
    });
  }
}

const ACCEPTED = 202;

function withoutBody(given: RequestInit['headers']): Headers {
  const headers = new Headers(given);
  headers.delete('content-type');
  headers.set('accept', EVENTS);
  return headers;
}

const isResumption = (headers: RequestInit['headers']): boolean => new Headers(headers).has('last-event-id');

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

/**
 * Reads the response to a request.
 * @param answer where the server answers in the stream of the session
 * @throws ServerFailure and other errors that `serverFailure` converts
 */
async function read(
  response: Dispatcher.ResponseData,
  exchange: ServerExchange,
  asked: AskedRequest,
  sent: Headers,
  answer: SharedAnswer | null,
): Promise<Response> {
  if (answer !== null && response.statusCode < 300) {
    leaveUnread(response);
    return readShared(answer, exchange, asked);
  }
  const problem = problemOf(response);
  if (problem === null) return readBody(response, exchange, asked, sent.get('last-event-id'));
  const isRead = asked.method === 'tools/call' || asked.method === 'initialize';
  if (!isRead || response.statusCode < 400) throw dropped(response, problem);
  const text = await errorIn(response);
  if (asked.method === 'initialize') {
    exchange.refusal = text;
    throw problem;
  }
  exchange.isSessionLost = (answer !== null || sent.has('mcp-session-id')) && isLost(response.statusCode, text);
  const error = exchange.isSessionLost ? null : errorOfCall(text, asked);
  if (error === null) throw problem;
  answer?.close();
  exchange.end();
  return Response.json(error);
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

/** Reads a little of a body that says nothing, so that its connection can be used again. */
function leaveUnread({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => undefined);
  void body.dump({ limit: UNREAD_BYTES }).catch(() => undefined);
}

function dropped({ body }: Dispatcher.ResponseData, problem: Error): Error {
  drop(body);
  return problem;
}
