import type { Readable } from 'node:stream';
import { Agent, type buildConnector, request } from 'undici';
import { ProviderError } from '../provider-error.js';
import { failureOf } from './upstream-failure.js';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Request headers that are sent. Others that the SDK or its environment variables add are dropped. */
const REQUEST_HEADERS = ['accept', 'authorization', 'content-type'];
/** Response headers that are read. Cookies and all others are dropped. */
const RESPONSE_HEADERS = ['content-type', 'retry-after'];
/** A picture of 20 MB in base64 with the JSON around it. */
const MAX_BODY_BYTES = 29 * 1024 * 1024;
/** Limit for bodies of error responses. */
const MAX_ERROR_BYTES = 256 * 1024;

/** A Response whose body is undici's Node stream, which costs half as much CPU as a web stream. */
export class UpstreamResponse extends Response {
  constructor(
    readonly stream: Readable,
    init: ResponseInit,
  ) {
    super(null, init);
  }

  override readonly text = async (): Promise<string> => {
    const bytes = await readAll(this.stream, this.ok ? MAX_BODY_BYTES : MAX_ERROR_BYTES);
    return bytes.toString('utf8');
  };

  override readonly json = async (): Promise<unknown> => JSON.parse(await this.text());
}

/** The connection pool of one upstream. It limits only the time of a connection; the caller limits the answers. */
export function createUpstreamAgent(connect: buildConnector.connector): Agent {
  return new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 });
}

/** Creates the `fetch` for the SDK. It follows no redirects, stores no cookies and requests no compression. */
export function createUpstreamFetch(agent: Agent, options: { anonymous: boolean }): Fetch {
  const allowed = options.anonymous ? REQUEST_HEADERS.filter((name) => name !== 'authorization') : REQUEST_HEADERS;
  return async (input, init = {}) => {
    const signal = init.signal ?? undefined;
    const pending = request(input instanceof Request ? input.url : input, {
      dispatcher: agent,
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: { ...pick(new Headers(init.headers), allowed), 'user-agent': 'tanya' },
      body: typeof init.body === 'string' ? init.body : null,
      signal,
    });
    // Converted here, because the SDK does not always preserve the code of a network error.
    const answer = await unlessAborted(pending, signal).catch((error: unknown) => {
      throw failureOf(error);
    });
    const { statusCode, headers, body } = answer;
    // A Response cannot have a status above 599.
    return new UpstreamResponse(body, { status: statusCode > 599 ? 502 : statusCode, headers: readable(headers) });
  };
}

/** Rejects when the signal is aborted. undici checks the signal only after connecting, which is too late for a stop. */
async function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return pending;
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error('The call was aborted'));
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([pending, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Reads a body to its end. @throws ProviderError if it is larger than `limit` bytes, after destroying it */
export async function readAll(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new ProviderError('provider_error');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
