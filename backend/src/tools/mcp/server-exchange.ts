import { AsyncLocalStorage } from 'node:async_hooks';
import { untilAborted } from '../../platform/resilience/with-deadline.js';
import { type ServerFailure, serverFailure } from './server-failure.js';
import { OutboundFailure } from '../outbound/outbound-failure.js';

/** Bytes that a server may send in one exchange, compressed and decoded. */
const MAX_BYTES = 1024 * 1024;

/** Requests of one exchange: a server can cause requests of the client with requests of its own. */
export const MAX_REQUESTS = 20;

/** Time that the client has to read the end of a response before the exchange counts as lost. */
const CLOSE_GRACE_MS = 1_000;

const current = new AsyncLocalStorage<ServerExchange>();

/**
 * One operation with an MCP server, such as a call: bounds its bytes and requests, and fails it as soon as a response
 * breaks off. The MCP client itself would wait for the timeout.
 */
export class ServerExchange {
  /** Whether the server answered 404 to the call of a tool in a session: the call has not run. */
  isSessionLost = false;
  private readonly controller = new AbortController();
  private readonly limit: AbortSignal;
  private readonly bytes = { compressed: 0, decoded: 0 };
  private requests = 0;
  private open = 0;
  private closing: NodeJS.Timeout | undefined;

  /** @param signal ends the exchange early, for example at a timeout */
  constructor(
    signal: AbortSignal,
    private readonly maxRequests = MAX_REQUESTS,
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

  /** A request begins. @throws ServerFailure */
  begin(): void {
    this.requests += 1;
    if (this.requests > this.maxRequests) this.fail(new OutboundFailure('invalid_answer'));
    this.limit.throwIfAborted();
    this.open += 1;
    clearTimeout(this.closing);
  }

  /** Counts bytes of a response; those of one without compression as decoded. @throws ServerFailure */
  countBytes(bytes: number, form: 'compressed' | 'decoded'): void {
    this.bytes[form] += bytes;
    if (this.bytes[form] > MAX_BYTES) throw this.fail(new OutboundFailure('too_large'));
  }

  /** The response of a request has ended: an operation that does not end with the last one fails. */
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
