import type { Counter } from 'prom-client';
import type { Metrics } from '../observability/metrics.js';

/** Counts refused requests by the name of the limit that refused them. */
export class Refusals {
  private readonly total: Counter<'limit'>;

  constructor(metrics: Metrics) {
    this.total = metrics.counter({
      name: 'tanya_refusals_total',
      help: 'Requests refused by a limit, by the name of the limit',
      labels: ['limit'],
    });
  }

  count(limit: string): void {
    this.total.inc({ limit });
  }
}
