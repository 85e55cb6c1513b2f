import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_MODEL_ID } from '@tanya/contract';
import { echoText } from '../../harness/scripted-answers.js';
import type { Fault } from '../fault.js';
import { Page } from '../page/page.js';
import type { Scenario } from '../scenario.js';
import { TcpProxy } from '../tcp-proxy.js';

/** Words of an answer that a fault ends. */
const ENDLESS = 20_000;

const local = { isLocal: true, on: ['many', 'one'] } satisfies Partial<Fault>;

/** Opens a proxy for one client. */
async function openProxy(scenario: Scenario): Promise<TcpProxy> {
  return scenario.own(await TcpProxy.open(() => [scenario.harness.front.port]));
}

const reload: Fault = {
  ...local,
  id: 'F20',
  description: 'the page is reloaded during an answer',
  run: async (scenario) => {
    const send = await scenario.shown({ words: 60 });
    await scenario.moment(0, 300);
    send.page.close();
    await scenario.moment(0, 300);
    const page = await scenario.page(send.user);
    page.follow(send.started!.generationId);
    send.page = page;
    await scenario.end(send, 'complete');
  },
};

const offline: Fault = {
  ...local,
  id: 'F21',
  description: 'a client is offline until long after the end',
  run: async (scenario) => {
    const proxy = await openProxy(scenario);
    const send = await scenario.shown({ page: await scenario.page(undefined, proxy.url), words: 40 });
    proxy.refuse();
    const { generationId } = send.started!;
    await scenario.until(async () => {
      const rows = await scenario.harness.database.query('select from generation where id = $1 and status <> $2', [
        generationId,
        'streaming',
      ]);
      return rows.length > 0;
    }, 'the end on the server');
    await scenario.moment(100, 600);
    proxy.restore();
    await scenario.end(send, 'complete');
  },
};

const flaky: Fault = {
  ...local,
  id: 'F21b',
  description: 'the connection of a client is cut again and again, during sends and answers',
  run: async (scenario) => {
    const proxy = await openProxy(scenario);
    const page = await scenario.page(undefined, proxy.url);
    const sends = [];
    for (let count = 0; count < 4; count += 1) {
      sends.push(await scenario.send({ page, words: scenario.random.between(1, 40) }));
      await sleep(scenario.random.between(0, 120));
      proxy.cut();
    }
    await Promise.all(sends.map((send) => send.answered));
    await scenario.endAll(sends, 'complete');
  },
};

const slowReader: Fault = {
  ...local,
  id: 'F22',
  description: 'a client reads 1 KB a second, or nothing for a while; others are untouched',
  run: async (scenario) => {
    const proxy = await openProxy(scenario);
    const slow = await scenario.shown({ page: await scenario.page(undefined, proxy.url), words: 300, pace: 2 });
    const other = await scenario.shown({ words: 60 });
    if (scenario.random.chance(0.5)) proxy.slow(1_000);
    else proxy.hold();
    await scenario.end(other, 'complete');
    await scenario.moment(0, 800);
    proxy.restore();
    await scenario.end(slow, 'complete');
  },
};

const doubleClick: Fault = {
  ...local,
  id: 'F23',
  description: 'the button is hit twice at once',
  run: async (scenario) => {
    const page = await scenario.page();
    const clientMessageId = randomUUID();
    const mark = scenario.harness.mark();
    const text = `${mark} [[words=10 pace=8]]`;
    const fields = { clientMessageId };
    const sends = [0, 1].map(() => page.send(text, echoText(text, 10), fields));
    await Promise.all(sends.map((send) => send.answered));
    scenario.sends.push(sends[0]!);
    const ids = new Set(sends.map((send) => send.started?.generationId));
    scenario.expect(ids.size === 1 && sends[0]!.started !== null, `two clicks made ${ids.size} answers`);
    await scenario.end(sends[0]!, 'complete');
  },
};

const repeated: Fault = {
  id: 'F24',
  description: 'one send 20 times in parallel, over both nodes, its socket and REST',
  isLocal: true,
  on: ['many'],
  run: async (scenario) => {
    const user = scenario.harness.member();
    const pages = await Promise.all(scenario.harness.nodes.map((node) => scenario.page(user, node.url)));
    const clientMessageId = randomUUID();
    const text = `${scenario.harness.mark()} [[words=10 pace=8]]`;
    const body = { content: JSON.stringify({ text }), clientMessageId, model: DEFAULT_MODEL_ID };
    const calls = [0, 1].map(() => scenario.call(user.browser, 'POST', '/api/chat/message', body));
    const sends = Array.from({ length: 18 }, (_, index) =>
      pages[index % pages.length]!.send(text, echoText(text, 10), { clientMessageId, isSingle: true }),
    );
    await Promise.all(sends.map((send) => send.answered));
    scenario.sends.push(sends[0]!);
    const refused = sends.filter((send) => send.started === null);
    scenario.expect(refused.length === 0, `${refused.length} of 18 copies were refused: ${refused[0]?.refusal?.code}`);
    scenario.expect(
      new Set(sends.map((send) => send.started?.generationId)).size === 1,
      'copies got different answers',
    );
    for (const { status } of await Promise.all(calls)) scenario.expect(status < 300, `a copy over REST got ${status}`);
    await scenario.end(sends[0]!, 'complete');
  },
};

const otherText: Fault = {
  ...local,
  id: 'F25',
  description: 'an id is used again for another text',
  run: async (scenario) => {
    const send = await scenario.taken({ words: 10 });
    const payload = { threadId: null, model: DEFAULT_MODEL_ID, content: { text: `${scenario.harness.mark()} else` } };
    const ack = await send.page.emit('generation:start', { ...payload, clientMessageId: send.clientMessageId });
    scenario.expect(!ack.ok && ack.error.code === 'idempotency_mismatch', 'another text got the first one’s answer');
    await scenario.end(send, 'complete');
  },
};

const otherPerson: Fault = {
  ...local,
  id: 'F26',
  description: "another owner's id is used",
  run: async (scenario) => {
    const send = await scenario.taken({ words: 10 });
    const twin = await scenario.taken({ words: 10, clientMessageId: send.clientMessageId });
    scenario.expect(twin.started?.generationId !== send.started?.generationId, 'two people got one answer');
    await scenario.endAll([send, twin], 'complete');
  },
};

const twoTabs: Fault = {
  ...local,
  id: 'F27',
  description: 'two tabs show one answer, and one of them is disconnected',
  run: async (scenario) => {
    const proxy = await openProxy(scenario);
    const send = await scenario.shown({ words: 60 });
    const tab = await scenario.page(send.user, proxy.url);
    const watched = tab.follow(send.started!.generationId);
    await scenario.moment(0, 200);
    proxy.cut();
    await scenario.end(send, 'complete');
    await scenario.until(() => watched.isClosed, 'the end in the other tab');
    scenario.expect(watched.final?.content === scenario.answerOf(send).final?.content, 'I4: two tabs show two texts');
  },
};

const twoSends: Fault = {
  ...local,
  id: 'F28',
  description: 'two tabs send different messages into one thread at once',
  run: async (scenario) => {
    const first = await scenario.taken({ words: 3 });
    await scenario.end(first, 'complete');
    const { threadId } = first.started!;
    const tab = await scenario.page(first.user);
    const sends = await Promise.all(
      [first.page, tab].map((page) => scenario.send({ page, threadId, words: 20, isSingle: true })),
    );
    await Promise.all(sends.map((send) => send.answered));
    const codes = sends.map((send) => send.refusal?.code ?? 'taken').sort();
    scenario.expect(codes.join() === 'taken,thread_busy', `two at once: ${codes.join()}`);
    await scenario.endAll(
      sends.filter((send) => send.started !== null),
      'complete',
    );
  },
};

const stops: Fault = {
  ...local,
  id: 'F29',
  description: 'stop: twice, from another tab, from another node, by another owner, after the end',
  run: async (scenario) => {
    const send = await scenario.shown({ words: ENDLESS });
    const { generationId } = send.started!;
    const stranger = await scenario.page();
    const refused = await stranger.emit('generation:stop', { generationId });
    scenario.expect(!refused.ok && refused.error.code === 'not_found', 'a stranger stopped an answer');
    const node = scenario.random.pick(scenario.harness.nodes);
    const tab = await scenario.page(send.user, node.url);
    await scenario.moment(0, 200);
    const began = performance.now();
    await Promise.all([tab.stop(generationId), send.page.stop(generationId)]);
    await scenario.end(send, 'stopped');
    scenario.notes.push(`stopped in ${Math.round(performance.now() - began)} ms`);
    const late = await tab.stop(generationId);
    scenario.expect('status' in late && late.status === 'stopped', 'a late stop is no no-op');
  },
};

const regenerate: Fault = {
  ...local,
  id: 'F30',
  description: 'another version is requested during the first answer',
  run: async (scenario) => {
    const send = await scenario.shown({ words: ENDLESS });
    scenario.allowRegeneration(send);
    await scenario.moment(0, 200);
    const { aiMessage } = send.started!;
    const payload = { clientMessageId: randomUUID(), messageId: aiMessage.id };
    const ack = await send.page.emit('generation:regenerate', payload);
    await scenario.end(send, 'stopped');
    if (!ack.ok) return scenario.violation(`no second answer: ${ack.error.code}`);
    const second = send.page.follow(ack.data.generationId);
    await send.page.stop(ack.data.generationId);
    await scenario.until(() => second.isClosed, 'the end of the second answer');
  },
};

const lyingClient: Fault = {
  ...local,
  id: 'B1',
  description: "a client resumes with a false sequence number, and resumes another owner's answer",
  run: async (scenario) => {
    const send = await scenario.shown({ words: 60 });
    const { generationId } = send.started!;
    for (const afterSeq of [1e6, 2 ** 31, -1, 1.5, 0]) {
      const ack = await send.page.emit('generation:resume', { generationId, afterSeq });
      const isEmpty = ack.ok && ack.data.outcome === 'resumed' && ack.data.events.length === 0;
      scenario.expect(!isEmpty, `afterSeq ${afterSeq} was answered with nothing at all`);
    }
    const stranger = await scenario.page();
    const ack = await stranger.emit('generation:resume', { generationId, afterSeq: 0 });
    scenario.expect(!ack.ok && ack.error.code === 'not_found', 'a stranger resumed an answer');
    await scenario.end(send, 'complete');
    scenario.expect(!stranger.answers.has(generationId), 'I8: a stranger got events');
  },
};

const flood: Fault = {
  ...local,
  id: 'B2',
  description: 'a client sends 10,000 events at once',
  run: async (scenario) => {
    const guest = await scenario.page(await scenario.harness.guest());
    const other = await scenario.shown({ words: 60 });
    for (let count = 1; count <= 10_000; count += 1) {
      guest.raw.emit('generation:resume', { generationId: randomUUID(), afterSeq: 0 });
      // The scripted provider runs in this process and needs its turns.
      if (count % 200 === 0) await sleep(1);
    }
    await scenario.end(other, 'complete');
    await scenario.until(() => guest.isConnected, 'the connection');
  },
};

const manySockets: Fault = {
  ...local,
  id: 'B3',
  description: 'one client opens thousands of sockets',
  run: async (scenario) => {
    const guest = await scenario.harness.guest();
    const opening = Array.from({ length: 150 }, async () => {
      const page = await Page.openWithin(3_000, guest, scenario.harness.front.url);
      if (page !== null) scenario.pages.push(page);
      return page !== null;
    });
    const open = (await Promise.all(opening)).filter(Boolean).length;
    scenario.notes.push(`${open} opened`);
    scenario.expect(open <= 50 * scenario.harness.nodes.length, `${open} sockets of one visitor`);
  },
};

export const clientFaults: Fault[] = [
  reload,
  offline,
  flaky,
  slowReader,
  doubleClick,
  repeated,
  otherText,
  otherPerson,
  twoTabs,
  twoSends,
  stops,
  regenerate,
  lyingClient,
  flood,
  manySockets,
];
