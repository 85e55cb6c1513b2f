import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Metrics } from '../platform/observability/metrics.js';

/** Names of models, and of connections, that have series of their own; further ones share `other`. */
const MAX_NAMES = 50;

const OTHER = 'other';

/** The connection of the demo, of a local server, and of answers that failed before one was chosen. */
const NONE = 'none';

/** Seconds. Fewer than for all models together: each is a series for each model. */
const BUCKETS = [0.25, 0.5, 1, 2, 4, 8, 15, 30];

export interface AnsweredBy {
  modelId: string;
  /** Name of the connection. */
  connection: string | undefined;
}

interface EndedCall {
  /** null for one that did not fail. */
  code: string | null;
  promptTokens: number | null;
  completionTokens: number | null;
  /** Decimal string; null when unknown. */
  costUsd: string | null;
}

/** Metrics of each model and connection. Their series are bounded, however many models an installation lists. */
@Injectable()
export class ModelMetrics {
  private readonly models = new BoundedNames();
  private readonly connections = new BoundedNames();
  private readonly requests: Counter<'model' | 'connection'>;
  private readonly errors: Counter<'model' | 'connection' | 'code'>;
  private readonly tokens: Counter<'model' | 'connection' | 'kind'>;
  private readonly cost: Counter<'model' | 'connection'>;
  private readonly firstTokens: Histogram<'model' | 'connection'>;

  constructor(metrics: Metrics) {
    this.requests = metrics.counter({
      name: 'tanya_model_requests_total',
      help: 'Ended answers and calls of the site by model and connection',
      labels: ['model', 'connection'],
    });
    this.errors = metrics.counter({
      name: 'tanya_model_errors_total',
      help: 'Failed and interrupted ones of these by code',
      labels: ['model', 'connection', 'code'],
    });
    this.tokens = metrics.counter({
      name: 'tanya_model_tokens_total',
      help: 'Tokens by model and connection, estimated where the provider counts none',
      labels: ['model', 'connection', 'kind'],
    });
    this.cost = metrics.counter({
      name: 'tanya_model_cost_usd_total',
      help: 'Known cost in USD by model and connection',
      labels: ['model', 'connection'],
    });
    this.firstTokens = metrics.histogram({
      name: 'tanya_model_first_token_seconds',
      help: 'From the start of a generation to the first token by model and connection',
      labels: ['model', 'connection'],
      buckets: BUCKETS,
    });
  }

  firstToken(seconds: number, by: AnsweredBy): void {
    this.firstTokens.observe(this.labelsOf(by), seconds);
  }

  ended({ code, promptTokens, completionTokens, costUsd }: EndedCall, by: AnsweredBy): void {
    const labels = this.labelsOf(by);
    this.requests.inc(labels);
    if (code !== null) this.errors.inc({ ...labels, code });
    this.tokens.inc({ ...labels, kind: 'prompt' }, promptTokens ?? 0);
    this.tokens.inc({ ...labels, kind: 'completion' }, completionTokens ?? 0);
    this.cost.inc(labels, Number(costUsd ?? 0));
  }

  private labelsOf({ modelId, connection }: AnsweredBy): { model: string; connection: string } {
    return { model: this.models.labelOf(modelId), connection: this.connections.labelOf(connection ?? NONE) };
  }
}

/** The first names that it sees, each with a label of its own. */
class BoundedNames {
  private readonly names = new Set<string>();

  labelOf(name: string): string {
    if (this.names.size < MAX_NAMES) this.names.add(name);
    return this.names.has(name) ? name : OTHER;
  }
}
