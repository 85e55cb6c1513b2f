/** Facts of a span: ids, names and counts. They hold no text of users, no addresses and no keys. */
export type Attributes = Record<string, string | number | boolean | undefined>;

/** A running span. Without tracing, and in a trace that is not sampled, its methods do nothing. */
export interface Span {
  set(attributes: Attributes): void;
  event(name: string): void;
  /** Replaces the name, for spans whose name is known at their end. */
  rename(name: string): void;
  /** Marks the span as failed. @param type an error code or a class of errors, never a message */
  fail(type: string): void;
  /** Covers an operation with a child of this span, also where this span is not active. */
  child<Result>(name: string, options: SpanOptions, work: Traced<Result>): Promise<Result>;
  /** Runs a part of a passive span's operation, in which the span is active. */
  enter<Result>(part: () => Promise<Result>): Promise<Result>;
}

export interface SpanOptions {
  /** `server` for a request of a client, `client` for a request to another service. */
  kind?: 'server' | 'client';
  attributes?: Attributes;
  /**
   * For operations that wait for long, such as an answer: the span is active only in parts that enter it. Before Node 24,
   * each async call of the process costs up to twice as much while any span is active.
   */
  isPassive?: boolean;
}

/** An operation that a span covers. The span ends when its promise settles; a rejection marks it as failed. */
export type Traced<Result> = (span: Span) => Promise<Result>;

export const NO_SPAN: Span = {
  set: () => undefined,
  event: () => undefined,
  rename: () => undefined,
  fail: () => undefined,
  child: (_name, _options, work) => work(NO_SPAN),
  enter: (part) => part(),
};

/**
 * Port of distributed tracing. The active span follows the asynchronous calls of the operation that it covers, so that
 * spans of statements and commands need no parameter.
 */
export abstract class Tracing {
  /** Whether spans are exported. Code that runs for each statement or request installs itself only then. */
  abstract readonly isOn: boolean;

  /** Whether a span is active. Checked before a frequent operation computes the options of its span. */
  abstract get isRecording(): boolean;

  /** Covers an operation with the first span of a new trace. */
  abstract trace<Result>(name: string, options: SpanOptions, work: Traced<Result>): Promise<Result>;

  /**
   * Covers an operation with a span of a trace that another operation started, also on another node.
   * @param traceId UUID, see `takeTraceId`
   */
  abstract join<Result>(traceId: string, name: string, options: SpanOptions, work: Traced<Result>): Promise<Result>;

  /** Covers an operation with a child of the active span. Without an active span it only runs the operation. */
  abstract span<Result>(name: string, options: SpanOptions, work: Traced<Result>): Promise<Result>;

  /**
   * The id of the active trace as a UUID, for the record that the operation creates. A node that reads the record can
   * join the trace.
   * @returns null without an active trace, and when the id was taken before
   */
  abstract takeTraceId(): string | null;

  /** Exports the remaining spans. Takes 3 s at most. */
  abstract close(): Promise<void>;
}

/** Tracing of a server without a collector. */
export class NoTracing extends Tracing {
  readonly isOn = false;
  readonly isRecording = false;

  trace<Result>(_name: string, _options: SpanOptions, work: Traced<Result>): Promise<Result> {
    return work(NO_SPAN);
  }

  join<Result>(_traceId: string, _name: string, _options: SpanOptions, work: Traced<Result>): Promise<Result> {
    return work(NO_SPAN);
  }

  span<Result>(_name: string, _options: SpanOptions, work: Traced<Result>): Promise<Result> {
    return work(NO_SPAN);
  }

  takeTraceId(): null {
    return null;
  }

  async close(): Promise<void> {}
}
