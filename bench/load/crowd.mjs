import { setTimeout as sleep } from 'node:timers/promises';
import { ChatUser } from './chat-user.mjs';
import { SseUser } from './sse-user.mjs';

const KINDS = { chat: ChatUser, sse: SseUser };

/** Period over which new users of a crowd connect, ms. */
const JOIN_MS = 125;

/** Connects users evenly over a period. */
export async function join(plan, meter, count, milliseconds, users, onOpen) {
  const User = KINDS[plan.kind];
  const begin = performance.now();
  for (let index = 0; index < count; index += 1) {
    const early = begin + (milliseconds * index) / count - performance.now();
    if (early > 1) await sleep(early);
    users.push(new User(plan.target, users.length, meter, onOpen));
  }
}

/** Waits until all users are connected, 30 s at most. */
export async function allOpen(users) {
  for (let tries = 0; tries < 600 && users.some((user) => !user.isOpen); tries += 1) await sleep(50);
}

/** Makes a user send again as soon as its answer has ended. */
export const endless = (question) => (user) => {
  user.onEnd = () => user.ask(question);
  user.ask(question);
};

/** Users whose number changes. */
export class Crowd {
  #users = [];
  #leaving = new Set();

  constructor(plan, meter) {
    this.plan = plan;
    this.meter = meter;
  }

  /** Running answers, with those of the users who are leaving. */
  get streams() {
    return this.#users.length + this.#leaving.size;
  }

  async resize(count) {
    const missing = count - this.#users.length;
    if (missing > 0) await join(this.plan, this.meter, missing, JOIN_MS, this.#users, endless(this.plan));
    for (const user of this.#users.splice(count)) {
      this.#leaving.add(user);
      user.onEnd = () => {
        this.#leaving.delete(user);
        user.close();
      };
    }
  }
}
