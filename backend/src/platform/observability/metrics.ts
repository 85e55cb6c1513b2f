import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

interface InstrumentOptions<Label extends string> {
  name: string;
  help: string;
  /** Values of a label form a short closed list: no ids, no names, no user text. */
  labels?: Label[];
}

interface HistogramOptions<Label extends string> extends InstrumentOptions<Label> {
  /** Upper bounds in seconds. */
  buckets: number[];
}

/** Registry of Prometheus instruments. Each feature creates its own here, once per process. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly registers = [this.registry];

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<Label extends string>({ name, help, labels = [] }: InstrumentOptions<Label>): Counter<Label> {
    return new Counter({ name, help, labelNames: labels, registers: this.registers });
  }

  histogram<Label extends string>({ name, help, labels = [], buckets }: HistogramOptions<Label>): Histogram<Label> {
    return new Histogram({ name, help, labelNames: labels, buckets, registers: this.registers });
  }

  /** @param read called at each scrape */
  gauge(name: string, help: string, read: () => number): void {
    const { registers } = this;
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }

  async exposition(): Promise<{ type: string; text: string }> {
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }
}
