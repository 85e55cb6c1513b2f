import { Histogram } from './histogram.mjs';
import { cpuSeconds, residentKb } from './process-use.mjs';
import { now } from './stamp.mjs';

/** Counts tokens, delays and failures of one run, and the processor time of the servers. */
export class Meter {
  tokens = 0;
  events = 0;
  bytes = 0;
  answers = 0;
  short = 0;
  failures = 0;
  admitted = 0;
  delay = new Histogram();
  firstToken = new Histogram();
  ack = new Histogram();
  errors = [];
  #lapDelay = new Histogram();
  #measuring = false;

  /** @param watched process ids by name: `server`, `storage`, … */
  constructor(watched) {
    this.watched = watched;
  }

  token(writtenAt, readAt, askedAt, isFirst) {
    this.tokens += 1;
    if (!this.#measuring) return;
    this.delay.add(readAt - writtenAt);
    this.#lapDelay.add(readAt - writtenAt);
    if (isFirst) this.firstToken.add(readAt - askedAt);
  }

  acked(askedAt) {
    this.admitted += 1;
    if (this.#measuring) this.ack.add(now() - askedAt);
  }

  fail(text) {
    this.failures += 1;
    if (this.errors.length < 3) this.errors.push(text.slice(0, 300));
  }

  begin() {
    this.#measuring = true;
    this.delay = new Histogram();
    this.#lapDelay = new Histogram();
    this.firstToken = new Histogram();
    this.ack = new Histogram();
    this.#from = this.#reading();
  }

  /** The 99th percentile of the delays since `begin` or the lap before, ms. */
  lap() {
    const p99 = this.#lapDelay.quantile(0.99);
    this.#lapDelay = new Histogram();
    return p99;
  }

  /** Figures since `begin`. */
  end() {
    this.#measuring = false;
    const to = this.#reading();
    const change = (name) => to[name] - this.#from[name];
    const seconds = change('at') / 1_000_000;
    const tokens = change('tokens');
    const used = Object.fromEntries(Object.keys(this.watched).map((name) => [name, change(name)]));
    return {
      seconds,
      tokensASecond: tokens / seconds,
      cpuPerMillion: Object.fromEntries(
        Object.entries(used).map(([name, cpu]) => [name, (cpu / Math.max(tokens, 1)) * 1_000_000]),
      ),
      busy: Object.fromEntries(Object.entries(used).map(([name, cpu]) => [name, cpu / seconds])),
      eventsAToken: change('events') / Math.max(tokens, 1),
      bytesAToken: change('bytes') / Math.max(tokens, 1),
      answers: change('answers'),
      cpu: used,
      admittedASecond: change('admitted') / seconds,
      cpuPerAdmitted: change('server') / Math.max(change('admitted'), 1),
      delay: this.delay.summary(),
      firstToken: this.firstToken.summary(),
      ack: this.ack.summary(),
      short: this.short,
      failures: this.failures,
      errors: this.errors,
      serverKb: residentKb(this.watched.server),
    };
  }

  #from = null;

  #reading() {
    const { tokens, events, bytes, answers, admitted } = this;
    const cpu = Object.fromEntries(
      Object.entries(this.watched).map(([name, pids]) => [
        name,
        [pids].flat().reduce((sum, pid) => sum + cpuSeconds(pid), 0),
      ]),
    );
    return { at: now(), tokens, events, bytes, answers, admitted, ...cpu };
  }
}
