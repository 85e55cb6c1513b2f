import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from './logging.js';

type Report = Parameters<SpanExporter['export']>[1];

/** Exporter that logs the first failure of a series, and the first success after it. Spans of a failed export are lost. */
export class ReportingExporter implements SpanExporter {
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
