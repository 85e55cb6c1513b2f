import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../platform/observability/metrics.js';
import { Refusals } from '../platform/rate-limits/refusals.js';

@Injectable()
export class QuotaMetrics {
  private readonly sends: Counter<'plan'>;

  constructor(
    metrics: Metrics,
    private readonly refusals: Refusals,
  ) {
    this.sends = metrics.counter({
      name: 'tanya_sends_total',
      help: 'Admitted requests for an answer',
      labels: ['plan'],
    });
  }

  admitted(plan: 'guest' | 'free' | 'premium'): void {
    this.sends.inc({ plan });
  }

  refused(): void {
    this.refusals.count('quota');
  }
}
