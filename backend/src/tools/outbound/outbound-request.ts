import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, type buildConnector, request } from 'undici';
import { canDecode, contentDecoder } from '../../platform/net/content-decoder.js';
import { untilAborted, withDeadline } from '../../platform/resilience/with-deadline.js';
import { OutboundFailure, outboundFailure } from './outbound-failure.js';

export interface OutboundRequest {
  url: URL;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Decides which addresses the socket may connect to. */
  connect: buildConnector.connector;
  /** Limit of the body in bytes, as it arrives and after decompression. */
  maxBytes: number;
  signal: AbortSignal;
  timeoutMs: number;
}

export interface OutboundResponse {
  status: number;
  /** Without parameters, in lower case; '' when missing. */
  type: string;
  /** Content-Type as sent. */
  contentType: string;
  /** Target of a redirect; null for another response. */
  location: string | null;
  /** Empty for a redirect. */
  bytes: Buffer;
}

type Chunks = AsyncIterable<string | Buffer>;
type Headers = Record<string, string | string[] | undefined>;

const ENCODINGS = 'gzip, deflate, br';
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const first = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? '';

/**
 * Sends one request, on a connection of its own, and reads the whole response. Redirects are not followed; cookies are
 * neither sent nor stored.
 * @throws OutboundFailure; the reason of `signal` when it aborts
 */
export async function outboundRequest(options: OutboundRequest): Promise<OutboundResponse> {
  const { signal, timeoutMs, connect } = options;
  signal.throwIfAborted();
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 });
  try {
    // undici checks an abort only after connecting, which is too late for a stop.
    return await withDeadline(timeoutMs, signal, (limit) =>
      untilAborted(limit, () => send(options, agent, limit)).catch((error: unknown) => {
        throw limit.aborted ? (limit.reason as Error) : error;
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw outboundFailure(error);
  } finally {
    void agent.destroy().catch(() => undefined);
  }
}

async function send(options: OutboundRequest, dispatcher: Agent, signal: AbortSignal): Promise<OutboundResponse> {
  const { url, method = 'GET', body = null, maxBytes } = options;
  const response = await request(`${url.origin}${url.pathname}${url.search}`, {
    dispatcher,
    method,
    body,
    signal,
    headers: { 'user-agent': 'Mozilla/5.0 (compatible; Tanya)', 'accept-encoding': ENCODINGS, ...options.headers },
  });
  const { statusCode, headers } = response;
  const isRedirect = REDIRECTS.has(statusCode) && first(headers.location) !== '';
  const contentType = first(headers['content-type']);
  // The body of a redirect is dropped with its connection.
  if (isRedirect) response.body.on('error', () => undefined).destroy();
  return {
    status: statusCode,
    contentType,
    type: (contentType.split(';')[0] ?? '').trim().toLowerCase(),
    location: isRedirect ? first(headers.location) : null,
    bytes: isRedirect ? Buffer.alloc(0) : await readBody(response.body, headers, maxBytes),
  };
}

async function readBody(body: Readable, headers: Headers, maxBytes: number): Promise<Buffer> {
  const encoding = first(headers['content-encoding']);
  if (Number(first(headers['content-length'])) > maxBytes) {
    body.on('error', () => undefined).destroy();
    throw new OutboundFailure('too_large');
  }
  const chunks: Buffer[] = [];
  const collect = async (source: Chunks): Promise<void> => {
    for await (const chunk of limited(source, maxBytes)) chunks.push(chunk);
  };
  if (!canDecode(encoding)) {
    body.on('error', () => undefined).destroy();
    throw new OutboundFailure('invalid_answer');
  }
  const decoder = contentDecoder(encoding);
  if (decoder === null) await pipeline(body, collect);
  else await pipeline(body, (source: Chunks) => limited(source, maxBytes), decoder, collect);
  return Buffer.concat(chunks);
}

/** Passes chunks on until their sum exceeds the limit. @throws OutboundFailure `too_large` */
async function* limited(source: Chunks, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const part of source) {
    const chunk = typeof part === 'string' ? Buffer.from(part) : part;
    size += chunk.length;
    if (size > maxBytes) throw new OutboundFailure('too_large');
    yield chunk;
  }
}
