import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerationEvent } from '@tanya/contract';
import type { Fault } from '../fault.js';
import type { Page, Send } from '../page/page.js';
import { type Scenario, sha256 } from '../scenario.js';

const ANSWERS = 20;
const EACH = 50;

/** Resumes of one batch. */
export const RESUME_BATCH = ANSWERS * EACH;

const textOf = (events: GenerationEvent[]): string =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

const hasEnd = (events: GenerationEvent[]): boolean => ['end', 'error'].includes(events.at(-1)?.type ?? '');

/** Resumes after a random position; the earlier, the resumed and the later events must add up to one text. */
async function resumeOnce(scenario: Scenario, page: Page, send: Send, all: GenerationEvent[]): Promise<() => void> {
  const { generationId } = send.started!;
  const afterSeq = scenario.random.between(0, all.length);
  const before = all.slice(0, afterSeq);
  const ack = await page.emit('generation:resume', { generationId, afterSeq });
  return () => {
    if (!ack.ok) return scenario.violation(`resume was refused: ${ack.error.code}`);
    const { data } = ack;
    if (data.outcome === 'resumed') {
      const got = [...before, ...data.events];
      const text = textOf([...got, ...all.slice(got.length)]);
      const isOrdered = got.every((event, index) => event.seq === index + 1);
      if (!isOrdered) scenario.violation(`I4: resumed after ${afterSeq} with a hole`);
      compare(scenario, text, all);
    } else if (data.message === null) scenario.violation('resync without a message');
    else if (data.message.status === 'streaming')
      compare(scenario, data.message.content + textOf(all.slice(data.seq)), all);
    else compare(scenario, data.message.content, all);
  };
}

function compare(scenario: Scenario, text: string, all: GenerationEvent[]): void {
  if (sha256(text) !== sha256(textOf(all))) scenario.violation('I4: a resumed text is another one');
}

async function oneAnswer(scenario: Scenario): Promise<void> {
  const user = scenario.harness.member();
  const pages = await Promise.all(scenario.harness.nodes.map((node) => scenario.page(user, node.url)));
  const all: GenerationEvent[] = [];
  pages[0]!.raw.on('generation:event', (event: GenerationEvent) => all.push(event));
  const send = await scenario.taken({ page: pages[0], words: scenario.random.between(100, 250), pace: 10 });
  const checks: (() => void)[] = [];
  for (let count = 0; count < EACH; count += 1) {
    checks.push(await resumeOnce(scenario, scenario.random.pick(pages), send, all));
    if (scenario.random.chance(0.02)) {
      const { generationId } = send.started!;
      await scenario.harness.withRedis(async (redis) => {
        for (const key of await redis.keys(`tanya:log:*:${generationId}`)) await redis.del(key);
      });
    }
    await sleep(scenario.random.between(20, 90));
  }
  await scenario.end(send, 'complete');
  await scenario.until(() => hasEnd(all), 'the end');
  for (const check of checks) check();
}

export const resumes: Fault = {
  id: 'resume',
  description: `${RESUME_BATCH} resumes at random positions of ${ANSWERS} answers, on their node and on the other, some after their log was lost`,
  on: ['many'],
  run: async (scenario) => {
    await Promise.all(Array.from({ length: ANSWERS }, () => oneAnswer(scenario)));
  },
};
