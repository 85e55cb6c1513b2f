import { collectDefaultMetrics, Counter, Gauge, Histogram, type LabelValues, Registry } from 'prom-client';

interface InstrumentOptions<Label extends string> {
  name: string;
  help: string;
  /** Values of a label form a short closed list, or are bounded where they are used: no user text. */
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

  /** A gauge with labels. @param read called at each scrape; must not reject, since the scrape would fail */
  gauges<Label extends string>(
    { name, help, labels = [] }: InstrumentOptions<Label>,
    read: () => Promise<{ labels: LabelValues<Label>; value: number }[]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: this.registers,
      async collect() {
        const values = await read();
        this.reset();
        for (const { labels: labelled, value } of values) this.set(labelled, value);
      },
    });
  }

  async exposition(): Promise<{ type: string; text: string }> {
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }
}
