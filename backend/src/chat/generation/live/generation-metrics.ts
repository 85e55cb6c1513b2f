import { isOpen, MESSAGE_STATUSES } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Metrics } from '../../../platform/observability/metrics.js';
import { PROVIDER_ERROR_CODES } from '../../../providers/provider-error.js';
import { ENDED_STATES } from '../store/call-states.js';
import type { RunState } from './run-spec.js';

/** Seconds: from a provider's first token to answers of several minutes. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300];

@Injectable()
export class GenerationMetrics {
  private readonly providerErrors: Counter<'code'>;
  private readonly tokens: Counter<'kind'>;
  private readonly firstTokens: Histogram;
  private readonly answers: Histogram<'status'>;

  private readonly toolCalls: Counter<'state'>;

  constructor(private readonly metrics: Metrics) {
    this.providerErrors = metrics.counter({
      name: 'tanya_provider_errors_total',
      help: 'Failures of model providers by code',
      labels: ['code'],
    });
    this.tokens = metrics.counter({
      name: 'tanya_tokens_total',
      help: 'Tokens as the providers count them',
      labels: ['kind'],
    });
    this.toolCalls = metrics.counter({
      name: 'tanya_tool_calls_total',
      help: 'Calls of tools by how they ended',
      labels: ['state'],
    });
    this.firstTokens = metrics.histogram({
      name: 'tanya_first_token_seconds',
      help: "From the start of a generation to the model's first token",
      buckets: BUCKETS,
    });
    this.answers = metrics.histogram({
      name: 'tanya_answer_seconds',
      help: 'Work on a generation from its start to its end, without waits for approvals, by how it ended',
      labels: ['status'],
      buckets: BUCKETS,
    });
    this.startAtZero();
  }

  /** Prometheus sees no increase in a series that begins with 1, so the first failure would raise no alert. */
  private startAtZero(): void {
    for (const code of PROVIDER_ERROR_CODES) this.providerErrors.inc({ code }, 0);
    for (const state of ENDED_STATES) this.toolCalls.inc({ state }, 0);
    for (const status of MESSAGE_STATUSES.filter((status) => !isOpen(status))) this.answers.zero({ status });
  }

  /** @param count called at each scrape */
  reportRunning(count: () => number): void {
    this.metrics.gauge('tanya_generations_running', 'Generations that this process runs', count);
  }

  providerFailed(code: string): void {
    this.providerErrors.inc({ code });
  }

  toolCalled(state: string): void {
    this.toolCalls.inc({ state });
  }

  firstToken(seconds: number): void {
    this.firstTokens.observe(seconds);
  }

  /** Counts an end, of a run of this node or of a dead one. */
  answered(status: string, seconds: number, reported: RunState['usage'] = null): void {
    this.answers.observe({ status }, seconds);
    this.tokens.inc({ kind: 'prompt' }, reported?.promptTokens ?? 0);
    this.tokens.inc({ kind: 'completion' }, reported?.completionTokens ?? 0);
  }
}
