import type { FetchLike } from '@modelcontextprotocol/client';
import { Agent, fetch as undiciFetch, type RequestInit as UndiciRequestInit } from 'undici';
import { withDeadline } from '../../platform/resilience/with-deadline.js';
import { guardedConnector } from '../../platform/net/ssrf-guard.js';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import { ServerExchange } from './server-exchange.js';
import { failureOfStatus } from './server-failure.js';

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
    if (init.method === 'GET') return new Response(null, { status: NO_STREAM });
    const exchange = isCancellation(init.body) ? undefined : ServerExchange.current;
    exchange?.begin();
    try {
      return toResponse(await this.send(url, init, exchange), exchange);
    } catch (error) {
      throw exchange?.fail(error) ?? error;
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
  ): Promise<FetchedResponse> {
    const { signal: own } = init;
    const ask = (limit: AbortSignal) => {
      const signal = own ? AbortSignal.any([own, limit]) : limit;
      const request = { ...init, signal, redirect: 'manual', dispatcher: this.agent } as UndiciRequestInit;
      return undiciFetch(url, request);
    };
    const response =
      exchange === undefined
        ? await withDeadline(NOTICE_TIMEOUT_MS, new AbortController().signal, ask)
        : await ask(exchange.signal);
    const problem = problemOf(response.status, response.headers.get('content-type'));
    if (problem === null) return response;
    if (response.status === 404 && exchange !== undefined) exchange.isSessionLost = hasSession(init.headers);
    await response.body?.cancel().catch(() => undefined);
    throw problem;
  }
}

type ReadResult = { done: false; value: Uint8Array } | { done: true; value?: undefined };
type FetchedResponse = Awaited<ReturnType<typeof undiciFetch>>;

const hasSession = (headers: RequestInit['headers']): boolean => new Headers(headers).has('mcp-session-id');

const isCancellation = (body: unknown): boolean =>
  typeof body === 'string' && body.includes('"method":"notifications/cancelled"');

function problemOf(status: number, contentType: string | null): Error | null {
  if (status >= 300 && status < 400) return new OutboundFailure('redirect', status);
  if (status >= 400) return failureOfStatus(status);
  return /^text\/html/i.test(contentType ?? '') ? new OutboundFailure('html') : null;
}

function toResponse(response: FetchedResponse, exchange: ServerExchange | undefined): Response {
  const { status } = response;
  // The body is decoded already.
  const headers = new Headers([...response.headers].filter(([name]) => !/^content-(encoding|length)$/i.test(name)));
  if (response.body === null || EMPTY_BODY.has(status)) {
    exchange?.end();
    return new Response(null, { status, headers });
  }
  return new Response(counted(response.body, exchange), { status, headers });
}

function counted(body: NonNullable<FetchedResponse['body']>, exchange: ServerExchange | undefined): ReadableStream {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = (await reader.read()) as ReadResult;
        if (done) {
          controller.close();
          exchange?.end();
          return;
        }
        exchange?.countBytes(value.length);
        controller.enqueue(value);
      } catch (error) {
        controller.error(exchange?.fail(error) ?? error);
        void reader.cancel().catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
