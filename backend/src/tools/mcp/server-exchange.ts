import { AsyncLocalStorage } from 'node:async_hooks';
import { untilAborted } from '../../platform/resilience/with-deadline.js';
import type { JsonBounds } from '../../platform/json/json-scan.js';
import { type ServerFailure, serverFailure } from './server-failure.js';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import type { TrimBounds } from './json-trim.js';
import type { AskedRequest } from './rpc-messages.js';

/** What a server may send and cause in one exchange. */
export interface ExchangeBounds {
  /** Of all responses, compressed and decoded. */
  bytes: number;
  /** Of what is left of them when large parts are skipped. */
  keptBytes: number;
  trim: TrimBounds;
  /** Of each message that is left. */
  json: JsonBounds;
  /** Requests of the client: a server can cause some with requests of its own. */
  requests: number;
}

const SESSION_BOUNDS: ExchangeBounds = {
  bytes: 1024 * 1024,
  keptBytes: 1024 * 1024,
  trim: { depth: 32, level: 2, bytes: 64 * 1024 },
  json: { values: 20_000, depth: 64 },
  requests: 20,
};

/** Times that a broken stream is resumed in one exchange. A server may close its stream between two polls of the client. */
const MAX_RESUMPTIONS = 100;

/** Time that the client has to read the end of a response before the exchange counts as lost. */
const CLOSE_GRACE_MS = 1_000;

/** The longest pause that a timer of Node can take: a longer one would end at once. */
const LONGEST_PAUSE_MS = 2 ** 31 - 1;

const current = new AsyncLocalStorage<ServerExchange>();

/**
 * One operation with an MCP server, such as a call: bounds its bytes and requests, and fails it as soon as a response
 * breaks off. The MCP client itself would wait for the timeout.
 */
export class ServerExchange {
  /** Whether the server no longer has the session in which a tool was called: the call has not run. */
  isSessionLost = false;
  /** What the server said when it refused to begin a session. */
  refusal = '';
  /** The last request of the client, which the responses may answer. */
  asked: AskedRequest | null = null;
  private readonly controller = new AbortController();
  private readonly limit: AbortSignal;
  private readonly bytes = { compressed: 0, decoded: 0, kept: 0 };
  private requests = 0;
  private resumptions = 0;
  /** Responses that have not ended, and pauses before a resumption. */
  private open = 0;
  private closing: NodeJS.Timeout | undefined;

  /** @param signal ends the exchange early, for example at a timeout */
  constructor(
    signal: AbortSignal,
    readonly bounds = SESSION_BOUNDS,
  ) {
    this.limit = AbortSignal.any([signal, this.controller.signal]);
  }

  /** The exchange of the running code; undefined outside of one. */
  static get current(): ServerExchange | undefined {
    return current.getStore();
  }

  get signal(): AbortSignal {
    return this.limit;
  }

  /** Runs an operation. @throws the reason of the signal, ServerFailure, or the error of the MCP client */
  async run<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await untilAborted(this.limit, () => current.run(this, operation));
    } finally {
      clearTimeout(this.closing);
    }
  }

  /** A request begins. A resumption is none that the server has caused. @throws ServerFailure */
  begin(isResumption: boolean): void {
    if (!isResumption) this.requests += 1;
    if (this.requests > this.bounds.requests) this.fail(new OutboundFailure('invalid_answer'));
    this.limit.throwIfAborted();
    this.open += 1;
    clearTimeout(this.closing);
  }

  /**
   * Resumes a broken stream after a pause, as part of this exchange: until then the exchange does not count as lost.
   * @param milliseconds that the server asked for
   */
  resume(milliseconds: number, reconnect: () => void): () => void {
    if (this.limit.aborted) return () => undefined;
    this.resumptions += 1;
    if (this.resumptions > MAX_RESUMPTIONS) {
      this.fail(new OutboundFailure('unreachable'));
      return () => undefined;
    }
    this.open += 1;
    clearTimeout(this.closing);
    const resume = (): void => {
      this.end();
      void current.run(this, async () => reconnect());
    };
    const timer = setTimeout(resume, Math.min(milliseconds, LONGEST_PAUSE_MS)).unref();
    return () => clearTimeout(timer);
  }

  /** Counts bytes of a response; those of one without compression as decoded. @throws ServerFailure */
  countBytes(bytes: number, form: 'compressed' | 'decoded' | 'kept'): void {
    this.bytes[form] += bytes;
    const bound = form === 'kept' ? this.bounds.keptBytes : this.bounds.bytes;
    if (this.bytes[form] > bound) throw this.fail(new OutboundFailure('too_large'));
  }

  /** The response of a request or a pause has ended: an operation that does not end with the last one fails. */
  end(): void {
    this.open -= 1;
    if (this.open > 0) return;
    this.closing = setTimeout(() => this.fail(new OutboundFailure('unreachable')), CLOSE_GRACE_MS).unref();
  }

  fail(error: unknown): ServerFailure {
    const failure = serverFailure(error);
    this.controller.abort(failure);
    return failure;
  }
}
