import { setTimeout as sleep } from 'node:timers/promises';
import type { GenerationEvent } from '@tanya/contract';
import type { Fault } from '../fault.js';
import type { Page, Send } from '../page.js';
import { type Scene, sha256 } from '../scene.js';

const ANSWERS = 20;
const EACH = 50;

/** Resumes of one batch. */
export const RESUME_BATCH = ANSWERS * EACH;

const textOf = (events: GenerationEvent[]): string =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

const hasEnd = (events: GenerationEvent[]): boolean => ['end', 'error'].includes(events.at(-1)?.type ?? '');

/** One resume of somebody who has the first `afterSeq` events; what was read before, then, and afterwards is one text. */
async function resumeOnce(scene: Scene, page: Page, send: Send, all: GenerationEvent[]): Promise<() => void> {
  const { generationId } = send.started!;
  const afterSeq = scene.random.between(0, all.length);
  const before = all.slice(0, afterSeq);
  const ack = await page.emit('generation:resume', { generationId, afterSeq });
  return () => {
    if (!ack.ok) return scene.violation(`resume was refused: ${ack.error.code}`);
    const { data } = ack;
    if (data.outcome === 'resumed') {
      const got = [...before, ...data.events];
      const text = textOf([...got, ...all.slice(got.length)]);
      const isOrdered = got.every((event, index) => event.seq === index + 1);
      if (!isOrdered) scene.violation(`I4: resumed after ${afterSeq} with a hole`);
      compare(scene, text, all);
    } else if (data.message === null) scene.violation('resync with nothing');
    else if (data.message.status === 'streaming')
      compare(scene, data.message.content + textOf(all.slice(data.seq)), all);
    else compare(scene, data.message.content, all);
  };
}

function compare(scene: Scene, text: string, all: GenerationEvent[]): void {
  if (sha256(text) !== sha256(textOf(all))) scene.violation('I4: a resumed text is another one');
}

async function oneAnswer(scene: Scene): Promise<void> {
  const person = scene.ground.member();
  const pages = await Promise.all(scene.ground.nodes.map((node) => scene.page(person, node.url)));
  const all: GenerationEvent[] = [];
  pages[0]!.raw.on('generation:event', (event: GenerationEvent) => all.push(event));
  const send = await scene.taken({ page: pages[0], words: scene.random.between(100, 250), pace: 10 });
  const checks: (() => void)[] = [];
  for (let count = 0; count < EACH; count += 1) {
    checks.push(await resumeOnce(scene, scene.random.pick(pages), send, all));
    if (scene.random.chance(0.02)) {
      const { generationId } = send.started!;
      await scene.ground.withRedis(async (redis) => {
        for (const key of await redis.keys(`tanya:log:*:${generationId}`)) await redis.del(key);
      });
    }
    await sleep(scene.random.between(20, 90));
  }
  await scene.end(send, 'complete');
  await scene.until(() => hasEnd(all), 'the end');
  for (const check of checks) check();
}

export const resumes: Fault = {
  id: 'resume',
  says: `${RESUME_BATCH} resumes at random positions of ${ANSWERS} answers, on their node and on the other, some after their log was lost`,
  on: ['many'],
  run: async (scene) => {
    await Promise.all(Array.from({ length: ANSWERS }, () => oneAnswer(scene)));
  },
};
