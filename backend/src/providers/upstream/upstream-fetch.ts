import { Readable } from 'node:stream';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { canDecode } from '../../platform/net/content-decoder.js';
import { parseAnswer } from '../../platform/json/json-text.js';
import { decodedText } from '../../platform/system/decoded-text.js';
import { RETRY_HEADERS } from './dialect/retry-delay.js';
import { currentPacing } from '../../platform/fast-paths/paced-sockets.js';
import { unknownEncoding, UpstreamBody } from './upstream-body.js';
import { failureOf, failureOfResponse } from './upstream-failure.js';
import { ProviderError } from '../provider-error.js';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Request headers of the SDK that are sent. Others that it or its environment variables add are dropped. */
const REQUEST_HEADERS = ['accept', 'authorization', 'content-length', 'content-type'];
/** A picture of 20 MB in base64 with the JSON around it. */
const MAX_BODY_BYTES = 29 * 1024 * 1024;
const BYTE_ORDER_MARK = 0xfeff;
/** Limit for bodies of error responses. */
const MAX_ERROR_BYTES = 256 * 1024;

/** Response headers that are read. Cookies and all others are dropped. */
const RESPONSE_HEADERS = ['content-encoding', 'content-type', ...RETRY_HEADERS] as const;

type ResponseHeaders = Partial<Record<(typeof RESPONSE_HEADERS)[number], string>>;

export interface UpstreamRequest {
  url: URL;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: RequestInit['body'];
  signal: AbortSignal | null;
}

/** A response whose body is pushed by undici, which costs a fraction of a web stream's CPU. */
export class UpstreamAnswer {
  constructor(
    readonly source: UpstreamBody,
    readonly status: number,
    readonly headers: ResponseHeaders,
  ) {}

  /** The whole body. @throws ProviderError for one that is too large */
  content(): Promise<Buffer> {
    return this.source.all(this.status < 300 ? MAX_BODY_BYTES : MAX_ERROR_BYTES);
  }

  async text(): Promise<string> {
    return decodedText(await this.content());
  }
}

/** An answer as the SDK takes it. */
export class UpstreamResponse extends Response {
  constructor(readonly answer: UpstreamAnswer) {
    super(null, { status: answer.status, headers: answer.headers });
  }

  override readonly text = (): Promise<string> => this.answer.text();

  /** JSON of any type, of which servers and gateways often send another one. @throws ProviderError for a page */
  override readonly json = async (): Promise<unknown> => {
    const text = await this.text();
    if (/^\s*</.test(text)) throw new ProviderError('provider_error', { fault: 'html' });
    return parseAnswer(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  };
}

/** The connection pool of one upstream. It limits only the time of a connection; the caller limits the answers. */
export function createUpstreamAgent(connect: buildConnector.connector): Agent {
  return new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 });
}

/** Creates the `fetch` for the SDK. */
export function createUpstreamFetch(agent: Agent, options: { anonymous: boolean }): Fetch {
  const allowed = options.anonymous ? REQUEST_HEADERS.filter((name) => name !== 'authorization') : REQUEST_HEADERS;
  return async (input, init = {}) => {
    const answer = await askUpstream(agent, {
      url: new URL(input instanceof Request ? input.url : input),
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: pick(new Headers(init.headers), allowed),
      body: init.body,
      signal: init.signal ?? null,
    });
    return new UpstreamResponse(answer);
  };
}

/**
 * Sends a request. It follows no redirects, stores no cookies and asks for no compression, which would hold back the events
 * of a stream; a body that is compressed all the same is decoded. Streams call it past the SDK,
 * whose headers and responses are those of the web: they made a fifth of the calls of a short answer.
 * @throws ProviderError for an error status: the SDK reads OpenAI's shape of an error alone
 */
export async function askUpstream(agent: Agent, request: UpstreamRequest): Promise<UpstreamAnswer> {
  const answer = await dispatch(agent, request);
  if (answer.status >= 200 && answer.status < 300) return answer;
  const body = await answer.text().catch(() => '');
  throw failureOfResponse(answer.status, answer.headers, body);
}

/**
 * The SDK passes JSON as text, short JSON of this server as bytes, and long JSON and forms as a web stream. Texts of a stream
 * stay texts until the socket encodes them: buffers of 32 MB would stay in memory until they are collected.
 */
function bodyOf(body: RequestInit['body']): string | Uint8Array | Readable | null {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  return body instanceof ReadableStream ? Readable.fromWeb(body, { objectMode: true }) : null;
}

function dispatch(
  agent: Agent,
  { url, method, headers, body: sent, signal }: UpstreamRequest,
): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let body: UpstreamBody | null = null;
    // Rejects at once: undici checks an abort only after connecting, which is too late for a stop.
    const onAbort = (): void => {
      const reason = new Error('The call was aborted');
      controller?.abort(reason);
      reject(failureOf(reason));
    };
    const finish = (error: Error | null): void => {
      signal?.removeEventListener('abort', onAbort);
      // Converted here, because the SDK does not always preserve the code of a network error.
      if (body === null) reject(failureOf(error ?? new Error('The upstream sent no response')));
      else body.end(error);
    };
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    const options: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'tanya' },
      body: bodyOf(sent),
    };
    agent.dispatch(options, {
      onRequestStart(started) {
        controller = started;
        if (signal?.aborted) started.abort(new Error('The call was aborted'));
      },
      onResponseStart(started, statusCode, received) {
        if (statusCode < 200) return;
        const { 'content-encoding': encoding = '', ...read } = readable(received);
        if (!canDecode(encoding)) return started.abort(unknownEncoding(encoding));
        body = new UpstreamBody(started, currentPacing(), encoding);
        resolve(new UpstreamAnswer(body, statusCode, read));
      },
      onResponseData(_controller, chunk) {
        body?.push(chunk);
      },
      onResponseEnd() {
        finish(null);
      },
      onResponseError(_controller, error) {
        finish(error);
      },
    });
  });
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) picked[name] = value;
  }
  return picked;
}

function readable(headers: Record<string, string | string[] | undefined>): ResponseHeaders {
  const kept: ResponseHeaders = {};
  for (const name of RESPONSE_HEADERS) {
    const [value] = [headers[name]].flat();
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
