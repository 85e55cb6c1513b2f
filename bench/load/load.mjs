import { setTimeout as sleep } from 'node:timers/promises';
import { ChatUser } from './chat-user.mjs';
import { Meter } from './meter.mjs';
import { residentKb } from './process-use.mjs';
import { SseUser } from './sse-user.mjs';

/**
 * Process of all users of a run. It receives one plan, `{ kind, target, watched, … }`, and sends one result.
 */
const KINDS = { chat: ChatUser, sse: SseUser };

const plans = { steady, ramp, idle, sends };

process.once('message', (plan) => {
  plans[plan.mode](plan).then(
    (result) => process.send(result, () => process.exit(0)),
    (error) => process.send({ error: String(error?.stack ?? error) }, () => process.exit(1)),
  );
});

/** Connects users evenly over a period. */
async function join(plan, meter, count, milliseconds, users, onOpen) {
  const User = KINDS[plan.kind];
  const begin = performance.now();
  for (let index = 0; index < count; index += 1) {
    const early = begin + (milliseconds * index) / count - performance.now();
    if (early > 1) await sleep(early);
    users.push(new User(plan.target, users.length, meter, onOpen));
  }
}

async function allOpen(users) {
  for (let tries = 0; tries < 600 && users.some((user) => !user.isOpen); tries += 1) await sleep(50);
}

/** Makes a user send again as soon as its answer has ended. */
const endless = (question) => (user) => {
  user.onEnd = () => user.ask(question);
  user.ask(question);
};

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
  return { ...meter.end(), p99s };
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
  return result;
}
