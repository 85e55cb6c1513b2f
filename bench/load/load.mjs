import { setTimeout as sleep } from 'node:timers/promises';
import { allOpen, Crowd, endless, join } from './crowd.mjs';
import { Meter } from './meter.mjs';
import { residentKb } from './process-use.mjs';
import { lengthOf, streamsAt, utilisation } from './wave.mjs';

/**
 * Process of all users of a run. It receives one plan, `{ kind, target, watched, … }`, and sends one result.
 */
const plans = { steady, ramp, wave, idle, sends };

/** Length of one line of a wave and pause between two changes of its streams, s. */
const LINE = 2;
const TICK = 0.25;

process.once('message', (plan) => {
  plans[plan.mode](plan).then(
    (result) => process.send(result, () => process.exit(0)),
    (error) => process.send({ error: String(error?.stack ?? error) }, () => process.exit(1)),
  );
});

/**
 * A fixed number of users, each with one answer after another. `p99s` has the 99th percentile of each second, so that
 * rare pauses of a shared machine do not hide the typical delay.
 */
async function steady(plan) {
  const meter = new Meter(plan.watched);
  const users = [];
  await join(plan, meter, plan.users, Math.min(plan.warm * 700, (1000 * plan.tokens) / plan.tps), users, endless(plan));
  await sleep(plan.warm * 1000);
  meter.begin();
  const p99s = [];
  for (let second = 0; second < plan.seconds; second += 1) {
    await sleep(1000);
    p99s.push(meter.lap());
  }
  const result = meter.end();
  if (result.tokensASecond === 0) throw new Error('no token arrived');
  return { ...result, p99s };
}

/** Adds users until tokens are late or missing. */
async function ramp(plan) {
  const meter = new Meter(plan.watched);
  const users = [];
  const steps = [];
  let held = null;
  for (let failures = 0; failures < 2 && users.length < plan.most;) {
    await join(plan, meter, users.length === 0 ? plan.from : plan.step, 900, users, endless(plan));
    // The first step is longer, as warm-up.
    await sleep(steps.length === 0 ? plan.warm * 1000 : 500);
    meter.begin();
    await sleep(1500);
    const step = { users: users.length, ...meter.end() };
    const isHeld = step.delay.p99 <= plan.limit && step.tokensASecond >= 0.97 * users.length * plan.tps;
    steps.push({ users: step.users, p99: step.delay.p99, tokensASecond: step.tokensASecond, busy: step.busy });
    if (isHeld) held = step;
    failures = isHeld ? 0 : failures + 1;
  }
  const peak = steps.reduce((best, step) => Math.max(best, step.tokensASecond), 0);
  return { held: held?.users ?? 0, peak, steps, failures: meter.failures, errors: meter.errors };
}

/**
 * Streams that increase and decrease (wave.mjs), with one line of figures for every two seconds. A user who leaves
 * disconnects after the current answer, because the product would finish the answer of a disconnected user.
 */
async function wave(plan) {
  const meter = new Meter(plan.watched);
  const crowd = new Crowd(plan, meter);
  await crowd.resize(plan.from);
  await sleep(plan.warm * 1000);
  const lines = [];
  const begin = performance.now();
  const elapsed = () => (performance.now() - begin) / 1000;
  for (let before = await eventLoopOf(plan); elapsed() < lengthOf(plan.phases);) {
    const until = elapsed() + LINE;
    meter.begin();
    while (elapsed() < until) {
      await crowd.resize(streamsAt(plan.from, plan.phases, elapsed()));
      await sleep(TICK * 1000);
    }
    const { delay, busy, eventsAToken } = meter.end();
    const after = await eventLoopOf(plan);
    lines.push({
      second: Math.round(elapsed()),
      streams: crowd.streams,
      delay,
      busy,
      tokensAnEvent: 1 / eventsAToken,
      utilisation: utilisation(before, after),
    });
    before = after;
  }
  return { lines, short: meter.short, failures: meter.failures, errors: meter.errors };
}

/** Idle and active time of the server's event loop since its start, ms (servers/event-loop.mjs). */
async function eventLoopOf({ eventLoopPort }) {
  const answer = await fetch(`http://127.0.0.1:${eventLoopPort}`);
  return answer.json();
}

/** Idle sockets, or sockets with one answer each. */
async function idle(plan) {
  const meter = new Meter(plan.watched);
  const users = [];
  await sleep(plan.rest * 1000);
  const before = residentKb(plan.watched.server);
  await join(plan, meter, plan.users, plan.users * 1.5, users, plan.tokens > 0 ? endless(plan) : undefined);
  await allOpen(users);
  await sleep(plan.warm * 1000);
  const after = residentKb(plan.watched.server);
  const open = users.filter((user) => user.isOpen).length;
  return {
    open,
    before,
    after,
    kbEach: (after - before) / open,
    failures: meter.failures,
    errors: meter.errors,
  };
}

/**
 * A fixed number of sends in flight, measured until the acknowledgement or the end. Sends of one user are `pause` ms
 * apart.
 */
async function sends(plan) {
  const meter = new Meter(plan.watched);
  const users = [];
  await join(plan, meter, plan.users, plan.users, users);
  await allOpen(users);
  const free = [...users];
  let stopped = false;
  const next = () => {
    if (!stopped && free.length > 0) free.shift().ask(plan);
  };
  for (const user of users) {
    const isDone = async () => {
      if (plan.pause) await sleep(plan.pause);
      free.push(user);
      next();
    };
    if (plan.waits === 'end') user.onEnd = isDone;
    else user.onAck = isDone;
  }
  for (let index = 0; index < plan.inFlight; index += 1) next();
  await sleep(plan.warm * 1000);
  meter.begin();
  await sleep(plan.seconds * 1000);
  const result = meter.end();
  stopped = true;
  if (plan.waits === 'end' && result.answers === 0) throw new Error('no answer ended');
  return result;
}
