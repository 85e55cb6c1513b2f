import { Readable } from 'node:stream';
import { Agent, type buildConnector, type Dispatcher } from 'undici';
import { parseAnswer } from '../../platform/json/json-text.js';
import { currentPacing } from '../../platform/fast-paths/paced-sockets.js';
import { UpstreamBody } from './upstream-body.js';
import { failureOf, failureOfResponse } from './upstream-failure.js';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Request headers that are sent. Others that the SDK or its environment variables add are dropped. */
const REQUEST_HEADERS = ['accept', 'authorization', 'content-length', 'content-type'];
/** Response headers that are read. Cookies and all others are dropped. */
const RESPONSE_HEADERS = ['content-type', 'retry-after'];
/** A picture of 20 MB in base64 with the JSON around it. */
const MAX_BODY_BYTES = 29 * 1024 * 1024;
/** Limit for bodies of error responses. */
const MAX_ERROR_BYTES = 256 * 1024;

/** A Response whose body is pushed by undici, which costs a fraction of a web stream's CPU. */
export class UpstreamResponse extends Response {
  constructor(
    readonly source: UpstreamBody,
    init: ResponseInit,
  ) {
    super(null, init);
  }

  /** The whole body. @throws ProviderError for one that is too large */
  content(): Promise<Buffer> {
    return this.source.all(this.ok ? MAX_BODY_BYTES : MAX_ERROR_BYTES);
  }

  override readonly text = async (): Promise<string> => (await this.content()).toString('utf8');

  override readonly json = async (): Promise<unknown> => parseAnswer(await this.text());
}

/** The connection pool of one upstream. It limits only the time of a connection; the caller limits the answers. */
export function createUpstreamAgent(connect: buildConnector.connector): Agent {
  return new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 });
}

/** Creates the `fetch` for the SDK. It follows no redirects, stores no cookies and requests no compression. */
export function createUpstreamFetch(agent: Agent, options: { anonymous: boolean }): Fetch {
  const allowed = options.anonymous ? REQUEST_HEADERS.filter((name) => name !== 'authorization') : REQUEST_HEADERS;
  return (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    return answerOf(
      dispatch(agent, init.signal ?? null, {
        origin: url.origin,
        path: url.pathname + url.search,
        method: init.method === 'POST' ? 'POST' : 'GET',
        headers: { ...pick(new Headers(init.headers), allowed), 'user-agent': 'tanya' },
        body: bodyOf(init.body),
      }),
    );
  };
}

/** @throws ProviderError for an error status: the SDK reads OpenAI's shape of an error alone */
async function answerOf(sent: Promise<UpstreamResponse>): Promise<UpstreamResponse> {
  const response = await sent;
  if (response.ok) return response;
  const body = await response.text().catch(() => '');
  throw failureOfResponse(response.status, response.headers, body);
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
  signal: AbortSignal | null,
  request: Dispatcher.DispatchOptions,
): Promise<UpstreamResponse> {
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
    agent.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (signal?.aborted) started.abort(new Error('The call was aborted'));
      },
      onResponseStart(started, statusCode, headers) {
        if (statusCode < 200) return;
        body = new UpstreamBody(started, currentPacing());
        // A Response cannot have a status above 599.
        const status = statusCode > 599 ? 502 : statusCode;
        resolve(new UpstreamResponse(body, { status, headers: readable(headers) }));
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

function readable(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of RESPONSE_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') kept[name] = value;
  }
  return kept;
}
