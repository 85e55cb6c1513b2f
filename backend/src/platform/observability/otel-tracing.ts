import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import { ROOT_CONTEXT, type Span as OtelSpan, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingEnv } from '../../config/tracing-env.js';
import type { Logger } from './logging.js';
import { type IsSampled, samplingOf } from './samplers.js';
import { NO_SPAN, type Span, type SpanOptions, type Traced, Tracing } from './tracing.js';

/** Timeout of one export. While the collector hangs, further spans wait in the queue and are then dropped. */
const EXPORT_TIMEOUT_MS = 5_000;

/** Spans that wait for an export, about 1 KB each. */
const QUEUE_LIMIT = 4_096;

/** Timeout of the last export at the end of the process. */
const CLOSE_TIMEOUT_MS = 3_000;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

/** The active span, with what the spans of its operation share. */
interface Active {
  span: OtelSpan;
  operation: { isIdTaken: boolean };
}

const hexOf = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase();

const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The trace id is set before the first span of a trace starts, as it decides whether that span starts. */
class TraceIds implements IdGenerator {
  next = '';

  generateTraceId = (): string => this.next;

  generateSpanId = (): string => randomBytes(8).toString('hex');
}

/**
 * Tracing with the SDK of OpenTelemetry, which this module alone imports. It registers nothing globally: the process may
 * run several servers. Operations that are not sampled have no span and no asynchronous context.
 */
export class OtelTracing extends Tracing {
  readonly isOn = true;
  private readonly active = new AsyncLocalStorage<Active>();
  private readonly isSampled: IsSampled;
  private readonly ids = new TraceIds();
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  /**
   * @param nodeId id of this process, the same as in the table of nodes
   * @param exportIntervalMs interval of the exports
   */
  constructor(env: TracingEnv, nodeId: string, logger: Logger, exportIntervalMs: number) {
    super();
    const { url, headers, serviceName } = env;
    this.isSampled = samplingOf(env);
    const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_TIMEOUT_MS });
    const processor = new BatchSpanProcessor({
      exporter: new ReportingExporter(exporter, logger),
      scheduledDelayMillis: exportIntervalMs,
      exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      maxQueueSize: QUEUE_LIMIT,
    });
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': nodeId }),
      sampler: new AlwaysOnSampler(),
      idGenerator: this.ids,
      spanProcessors: [processor],
    });
    this.tracer = this.provider.getTracer('tanya');
  }

  get isRecording(): boolean {
    // A span that has ended is the origin of a timer or of a connection, not of this operation.
    return this.active.getStore()?.span.isRecording() ?? false;
  }

  trace<Result>(name: string, options: SpanOptions, work: Traced<Result>): Promise<Result> {
    return this.root(hexOf(randomUUID()), { isIdTaken: false }, name, options, work);
  }

  join<Result>(traceId: string, name: string, options: SpanOptions, work: Traced<Result>): Promise<Result> {
    return this.root(hexOf(traceId), { isIdTaken: true }, name, options, work);
  }

  span<Result>(name: string, options: SpanOptions, work: Traced<Result>): Promise<Result> {
    const active = this.active.getStore();
    return active === undefined ? work(NO_SPAN) : this.child(active, name, options, work);
  }

  takeTraceId(): string | null {
    const active = this.active.getStore();
    if (!active?.span.isRecording() || active.operation.isIdTaken) return null;
    active.operation.isIdTaken = true;
    return uuidOf(active.span.spanContext().traceId);
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
    await Promise.race([this.provider.shutdown().catch(() => undefined), timeout]);
    clearTimeout(timer);
  }

  private root<Result>(
    traceId: string,
    operation: Active['operation'],
    name: string,
    options: SpanOptions,
    work: Traced<Result>,
  ): Promise<Result> {
    if (!this.isSampled(traceId)) return work(NO_SPAN);
    this.ids.next = traceId;
    return this.cover(this.startSpan(name, options), operation, options, work);
  }

  private startSpan(name: string, { kind, attributes }: SpanOptions, parent?: OtelSpan): OtelSpan {
    const options = { kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind], attributes };
    return this.tracer.startSpan(
      name,
      options,
      parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent),
    );
  }

  private child<Result>(
    { span, operation }: Active,
    name: string,
    options: SpanOptions,
    work: Traced<Result>,
  ): Promise<Result> {
    if (!span.isRecording()) return work(NO_SPAN);
    return this.cover(this.startSpan(name, options, span), operation, options, work);
  }

  private async cover<Result>(
    span: OtelSpan,
    operation: Active['operation'],
    { isPassive = false }: SpanOptions,
    work: Traced<Result>,
  ): Promise<Result> {
    const handle = this.handleOf({ span, operation });
    try {
      return await (isPassive ? work(handle) : handle.enter(() => work(handle)));
    } catch (error) {
      markFailed(span, typeOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  private handleOf(active: Active): Span {
    const { span } = active;
    return {
      set: (attributes) => void span.setAttributes(attributes),
      event: (name) => void span.addEvent(name),
      rename: (name) => void span.updateName(name),
      fail: (type) => markFailed(span, type),
      child: (name, options, work) => this.child(active, name, options, work),
      enter: (part) => (span.isRecording() ? this.active.run(active, part) : part()),
    };
  }
}

function markFailed(span: OtelSpan, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttributes({ 'error.type': type });
}

/** The code of an error or its class. Its message may quote users. */
function typeOf(error: unknown): string {
  // The abort reason of a run.
  if (typeof error === 'string') return error;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}

type Report = Parameters<SpanExporter['export']>[1];

/** Exporter that logs the first failure of a series, and the first success after it. Spans of a failed export are lost. */
class ReportingExporter implements SpanExporter {
  private isFailing = false;

  constructor(
    private readonly exporter: OTLPTraceExporter,
    private readonly logger: Logger,
  ) {}

  export(spans: ReadableSpan[], report: Report): void {
    this.exporter.export(spans, (result) => {
      const isFailure = result.error !== undefined;
      if (isFailure && !this.isFailing)
        this.logger.warn({ err: result.error, spans: spans.length }, 'trace export failed; dropping spans');
      if (!isFailure && this.isFailing) this.logger.info('trace export restored');
      this.isFailing = isFailure;
      report(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}
