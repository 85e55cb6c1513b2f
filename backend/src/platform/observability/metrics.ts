import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the pool of `pg` tells of itself. */
interface PoolCounts {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/** Seconds; a provider's first token and whole answers of some minutes lie in between. */
const ANSWER_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300];
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Every instrument of the product by name. Labels are short closed lists: no ids, no names, no texts. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly registers = [this.registry];

  private readonly requests = new Histogram({
    name: 'tanya_http_request_seconds',
    help: 'HTTP requests by method, route pattern and status, from their head to the end of their answer',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers: this.registers,
  });
  private readonly sends = new Counter({
    name: 'tanya_sends_total',
    help: 'Admitted requests for an answer',
    labelNames: ['plan'],
    registers: this.registers,
  });
  private readonly refusals = new Counter({
    name: 'tanya_refusals_total',
    help: 'Requests refused by a quota (quota) or by a rate limit (its name)',
    labelNames: ['limit'],
    registers: this.registers,
  });
  private readonly providerErrors = new Counter({
    name: 'tanya_provider_errors_total',
    help: 'Failures of model providers by code',
    labelNames: ['code'],
    registers: this.registers,
  });
  private readonly tokens = new Counter({
    name: 'tanya_tokens_total',
    help: 'Tokens as the providers count them',
    labelNames: ['kind'],
    registers: this.registers,
  });
  private readonly firstTokens = new Histogram({
    name: 'tanya_first_token_seconds',
    help: "From the start of a generation to the model's first token",
    buckets: ANSWER_BUCKETS,
    registers: this.registers,
  });
  private readonly answers = new Histogram({
    name: 'tanya_answer_seconds',
    help: 'From the start of a generation to its stored end, by how it ended',
    labelNames: ['status'],
    buckets: ANSWER_BUCKETS,
    registers: this.registers,
  });

  constructor(pool: PoolCounts) {
    collectDefaultMetrics({ register: this.registry });
    this.sample('tanya_pg_connections', 'Connections of the Postgres pool', () => pool.totalCount);
    this.sample('tanya_pg_connections_idle', 'Connections of the pool that nobody uses', () => pool.idleCount);
    this.sample('tanya_pg_waiting', 'Requests that wait for a connection of the pool', () => pool.waitingCount);
  }

  /** A gauge that is read when somebody asks. */
  sample(name: string, help: string, read: () => number): void {
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

  request(labels: { method: string; route: string; status: number }, seconds: number): void {
    this.requests.observe(labels, seconds);
  }

  sent(plan: 'guest' | 'free' | 'premium'): void {
    this.sends.inc({ plan });
  }

  refused(limit: string): void {
    this.refusals.inc({ limit });
  }

  providerFailed(code: string): void {
    this.providerErrors.inc({ code });
  }

  firstToken(seconds: number): void {
    this.firstTokens.observe(seconds);
  }

  answered(status: string, seconds: number, usage: { promptTokens: number; completionTokens: number } | null): void {
    this.answers.observe({ status }, seconds);
    if (usage === null) return;
    this.tokens.inc({ kind: 'prompt' }, usage.promptTokens);
    this.tokens.inc({ kind: 'completion' }, usage.completionTokens);
  }

  /** Everything in Prometheus' text format. */
  async exposition(): Promise<{ type: string; text: string }> {
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }
}
