import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_MODEL_ID } from '@tanya/contract';
import { echoText } from '../../scripted-answers.js';
import type { Fault } from '../fault.js';
import { Page } from '../page.js';
import type { Scene } from '../scene.js';
import { TcpProxy } from '../tcp-proxy.js';

const local = { isLocal: true, on: ['many', 'one'] } satisfies Partial<Fault>;

/** A line that only this client uses. */
async function ownLine(scene: Scene): Promise<TcpProxy> {
  return scene.own(await TcpProxy.open(() => [scene.ground.front.port]));
}

const reload: Fault = {
  ...local,
  id: 'F20',
  says: 'the page is reloaded amid an answer',
  run: async (scene) => {
    const send = await scene.shown({ words: 60 });
    await scene.moment(0, 300);
    send.page.close();
    await scene.moment(0, 300);
    const page = await scene.page(send.person);
    page.follow(send.started!.generationId);
    send.page = page;
    await scene.end(send, 'complete');
  },
};

const offline: Fault = {
  ...local,
  id: 'F21',
  says: 'a client is offline until long after the end',
  run: async (scene) => {
    const line = await ownLine(scene);
    const send = await scene.shown({ page: await scene.page(undefined, line.url), words: 40 });
    line.refuse();
    const { generationId } = send.started!;
    await scene.until(async () => {
      const rows = await scene.ground.database.query('select from generation where id = $1 and status <> $2', [
        generationId,
        'streaming',
      ]);
      return rows.length > 0;
    }, 'the end on the server');
    await scene.moment(100, 600);
    line.restore();
    await scene.end(send, 'complete');
  },
};

const flaky: Fault = {
  ...local,
  id: 'F21b',
  says: 'the line of a client is cut again and again, amid sends and answers',
  run: async (scene) => {
    const line = await ownLine(scene);
    const page = await scene.page(undefined, line.url);
    const sends = [];
    for (let count = 0; count < 4; count += 1) {
      sends.push(await scene.send({ page, words: scene.random.between(1, 40) }));
      await sleep(scene.random.between(0, 120));
      line.cut();
    }
    await Promise.all(sends.map((send) => send.answered));
    await scene.endAll(sends, 'complete');
  },
};

const slowReader: Fault = {
  ...local,
  id: 'F22',
  says: 'a client reads 1 KB a second, or nothing for a while; others are untouched',
  run: async (scene) => {
    const line = await ownLine(scene);
    const slow = await scene.shown({ page: await scene.page(undefined, line.url), words: 300, pace: 2 });
    const other = await scene.shown({ words: 60 });
    if (scene.random.chance(0.5)) line.slow(1_000);
    else line.hold();
    await scene.end(other, 'complete');
    await scene.moment(0, 800);
    line.restore();
    await scene.end(slow, 'complete');
  },
};

const doubleClick: Fault = {
  ...local,
  id: 'F23',
  says: 'the button is hit twice at once',
  run: async (scene) => {
    const page = await scene.page();
    const clientMessageId = randomUUID();
    const mark = scene.ground.mark();
    const text = `${mark} [[words=10 pace=8]]`;
    const fields = { clientMessageId };
    const sends = [0, 1].map(() => page.send(text, echoText(text, 10), fields));
    await Promise.all(sends.map((send) => send.answered));
    scene.sends.push(sends[0]!);
    const ids = new Set(sends.map((send) => send.started?.generationId));
    scene.expect(ids.size === 1 && sends[0]!.started !== null, `two clicks made ${ids.size} answers`);
    await scene.end(sends[0]!, 'complete');
  },
};

const repeated: Fault = {
  id: 'F24',
  says: 'one send 20 times in parallel, over both nodes, its socket and REST',
  isLocal: true,
  on: ['many'],
  run: async (scene) => {
    const person = scene.ground.member();
    const pages = await Promise.all(scene.ground.nodes.map((node) => scene.page(person, node.url)));
    const clientMessageId = randomUUID();
    const text = `${scene.ground.mark()} [[words=10 pace=8]]`;
    const body = { content: JSON.stringify({ text }), clientMessageId, model: DEFAULT_MODEL_ID };
    const calls = [0, 1].map(() => scene.call(person.browser, 'POST', '/api/chat/message', body));
    const sends = Array.from({ length: 18 }, (_, index) =>
      pages[index % pages.length]!.send(text, echoText(text, 10), { clientMessageId, isSingle: true }),
    );
    await Promise.all(sends.map((send) => send.answered));
    scene.sends.push(sends[0]!);
    const refused = sends.filter((send) => send.started === null);
    scene.expect(refused.length === 0, `${refused.length} of 18 copies were refused: ${refused[0]?.refusal?.code}`);
    scene.expect(new Set(sends.map((send) => send.started?.generationId)).size === 1, 'copies got different answers');
    for (const { status } of await Promise.all(calls)) scene.expect(status < 300, `a copy over REST got ${status}`);
    await scene.end(sends[0]!, 'complete');
  },
};

const otherText: Fault = {
  ...local,
  id: 'F25',
  says: 'an id is used again for another text',
  run: async (scene) => {
    const send = await scene.taken({ words: 10 });
    const payload = { threadId: null, model: DEFAULT_MODEL_ID, content: { text: `${scene.ground.mark()} else` } };
    const ack = await send.page.emit('generation:start', { ...payload, clientMessageId: send.clientMessageId });
    scene.expect(!ack.ok && ack.error.code === 'idempotency_mismatch', 'another text got the first one’s answer');
    await scene.end(send, 'complete');
  },
};

const otherPerson: Fault = {
  ...local,
  id: 'F26',
  says: "somebody else's id is used",
  run: async (scene) => {
    const send = await scene.taken({ words: 10 });
    const twin = await scene.taken({ words: 10, clientMessageId: send.clientMessageId });
    scene.expect(twin.started?.generationId !== send.started?.generationId, 'two people got one answer');
    await scene.endAll([send, twin], 'complete');
  },
};

const twoTabs: Fault = {
  ...local,
  id: 'F27',
  says: 'two tabs watch one answer, and one of them loses its line',
  run: async (scene) => {
    const line = await ownLine(scene);
    const send = await scene.shown({ words: 60 });
    const tab = await scene.page(send.person, line.url);
    const watched = tab.follow(send.started!.generationId);
    await scene.moment(0, 200);
    line.cut();
    await scene.end(send, 'complete');
    await scene.until(() => watched.isClosed, 'the end in the other tab');
    scene.expect(watched.final?.content === scene.answerOf(send).final?.content, 'I4: two tabs show two texts');
  },
};

const twoSends: Fault = {
  ...local,
  id: 'F28',
  says: 'two tabs send different messages into one thread at once',
  run: async (scene) => {
    const first = await scene.taken({ words: 3 });
    await scene.end(first, 'complete');
    const { threadId } = first.started!;
    const tab = await scene.page(first.person);
    const sends = await Promise.all(
      [first.page, tab].map((page) => scene.send({ page, threadId, words: 20, isSingle: true })),
    );
    await Promise.all(sends.map((send) => send.answered));
    const codes = sends.map((send) => send.refusal?.code ?? 'taken').sort();
    scene.expect(codes.join() === 'taken,thread_busy', `two at once: ${codes.join()}`);
    await scene.endAll(
      sends.filter((send) => send.started !== null),
      'complete',
    );
  },
};

const stops: Fault = {
  ...local,
  id: 'F29',
  says: 'stop: twice, from another tab, from another node, by a stranger, after the end',
  run: async (scene) => {
    const send = await scene.shown({ words: 400 });
    const { generationId } = send.started!;
    const stranger = await scene.page();
    const refused = await stranger.emit('generation:stop', { generationId });
    scene.expect(!refused.ok && refused.error.code === 'not_found', 'a stranger stopped an answer');
    const node = scene.random.pick(scene.ground.nodes);
    const tab = await scene.page(send.person, node.url);
    await scene.moment(0, 200);
    const began = performance.now();
    await Promise.all([tab.stop(generationId), send.page.stop(generationId)]);
    await scene.end(send, 'stopped');
    scene.notes.push(`stopped in ${Math.round(performance.now() - began)} ms`);
    const late = await tab.stop(generationId);
    scene.expect('status' in late && late.status === 'stopped', 'a late stop is no no-op');
  },
};

const regenerate: Fault = {
  ...local,
  id: 'F30',
  says: 'another answer is asked for while the first is being written',
  run: async (scene) => {
    const send = await scene.shown({ words: 400 });
    scene.writtenAgain(send);
    await scene.moment(0, 200);
    const { aiMessage } = send.started!;
    const payload = { clientMessageId: randomUUID(), messageId: aiMessage.id };
    const ack = await send.page.emit('generation:regenerate', payload);
    await scene.end(send, 'stopped');
    if (!ack.ok) return scene.violation(`no second answer: ${ack.error.code}`);
    const second = send.page.follow(ack.data.generationId);
    await send.page.stop(ack.data.generationId);
    await scene.until(() => second.isClosed, 'the end of the second answer');
  },
};

const liar: Fault = {
  ...local,
  id: 'B1',
  says: "a client lies about what it has, and resumes a stranger's answer",
  run: async (scene) => {
    const send = await scene.shown({ words: 60 });
    const { generationId } = send.started!;
    for (const afterSeq of [1e6, 2 ** 31, -1, 1.5, 0]) {
      const ack = await send.page.emit('generation:resume', { generationId, afterSeq });
      const isEmpty = ack.ok && ack.data.outcome === 'resumed' && ack.data.events.length === 0;
      scene.expect(!isEmpty, `afterSeq ${afterSeq} was answered with nothing at all`);
    }
    const stranger = await scene.page();
    const ack = await stranger.emit('generation:resume', { generationId, afterSeq: 0 });
    scene.expect(!ack.ok && ack.error.code === 'not_found', 'a stranger resumed an answer');
    await scene.end(send, 'complete');
    scene.expect(!stranger.answers.has(generationId), 'I8: a stranger got events');
  },
};

const flood: Fault = {
  ...local,
  id: 'B2',
  says: 'a client sends 10,000 events at once',
  run: async (scene) => {
    const guest = await scene.page(await scene.ground.guest());
    const other = await scene.shown({ words: 60 });
    for (let count = 1; count <= 10_000; count += 1) {
      guest.raw.emit('generation:resume', { generationId: randomUUID(), afterSeq: 0 });
      // The model of this harness writes in the same process.
      if (count % 200 === 0) await sleep(1);
    }
    await scene.end(other, 'complete');
    await scene.until(() => guest.isConnected, 'the connection');
  },
};

const manySockets: Fault = {
  ...local,
  id: 'B3',
  says: 'one visitor opens a great many sockets',
  run: async (scene) => {
    const guest = await scene.ground.guest();
    const opening = Array.from({ length: 150 }, async () => {
      const page = await Page.openWithin(3_000, guest, scene.ground.front.url);
      if (page !== null) scene.pages.push(page);
      return page !== null;
    });
    const open = (await Promise.all(opening)).filter(Boolean).length;
    scene.notes.push(`${open} opened`);
    scene.expect(open <= 50 * scene.ground.nodes.length, `${open} sockets of one visitor`);
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
  liar,
  flood,
  manySockets,
];
