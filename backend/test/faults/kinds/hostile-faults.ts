import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_LIMITS, DEFAULT_MODEL_ID, LIMITS } from '@tanya/contract';
import { CLIENT_JSON } from '../../../src/platform/json/json-scan.js';
import { connectionRequests } from '../../one-request/connection-requests.js';
import { contentBodies } from '../../one-request/content-bodies.js';
import { gatewayBodies } from '../../one-request/gateway-bodies.js';
import { RawSocket, textFrame } from '../../one-request/raw-socket.js';
import { type Sent, statusOf } from '../../one-request/send.js';
import { FORM_TYPE, uploadsOf } from '../../one-request/upload-requests.js';
import { distinctName, entries, manyFields, type WorstBody } from '../../one-request/worst-bodies.js';
import type { Fault } from '../fault.js';
import type { TestUser } from '../page/test-user.js';
import { onThisMachine } from '../pace.js';
import type { Scenario } from '../scenario.js';

/** Answers that run while the bodies arrive, and the pause between two words of each, ms. */
const STREAMS = 50;
const WORD_MS = 100;

/** More words than come before the answers are stopped. */
const ENDLESS = 20_000;

/** How much later than due a word may come, ms. */
const LATE_MS = 250;

/** Times that a word passes this process: the provider, its proxy, that of the clients, and its client. */
const HOPS = 4;

const MB = 2 ** 20;

/** Sends one after the other and notes the statuses. */
async function sendEach(scenario: Scenario, requests: Sent[]): Promise<void> {
  const statuses = [];
  for (const sent of requests) statuses.push(await statusOf(scenario.harness.url, sent));
  scenario.notes.push(`answered ${statuses.join(' ')}`);
}

const headersOf = ({ browser }: TestUser, type = 'application/json'): Record<string, string> => ({
  cookie: browser.cookieHeader,
  'x-forwarded-for': browser.address,
  'content-type': type,
});

/** Bodies by their inputs, for a new guest each. */
async function byGuests(scenario: Scenario, method: string, path: string, bodies: Buffer[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (const body of bodies) sent.push({ method, path, headers: headersOf(await scenario.harness.guest()), body });
  return sent;
}

/** The bodies with these inputs. */
function chosen(bodies: WorstBody[], ...inputs: string[]): Buffer[] {
  return inputs.map((input) => {
    const found = bodies.find((body) => body.input === input);
    if (found === undefined) throw new Error(`no body with ${input}`);
    return found.build();
  });
}

/**
 * A hostile client amid running answers: no word of another person's answer may be late.
 * @param prepare makes what `attack` sends, before the answers run
 */
function amidStreams(
  id: string,
  description: string,
  prepare: (scenario: Scenario) => Promise<() => Promise<void>>,
): Fault {
  return {
    id,
    description,
    on: ['many', 'one'],
    run: async (scenario) => {
      const attack = await prepare(scenario);
      const users = await scenario.harness.owners(STREAMS);
      const sends = await Promise.all(users.map((user) => scenario.shown({ user, words: ENDLESS, pace: WORD_MS })));
      // The provider and the clients run in this process: what it is late by itself is not the server's.
      const own = monitorEventLoopDelay({ resolution: 1 });
      own.enable();
      for (const { page } of sends) page.restartSilence();
      await attack();
      await sleep(2 * LATE_MS);
      own.disable();
      const late = Math.round(Math.max(...sends.map(({ page }) => page.longestSilence)) - WORD_MS);
      const ownDelay = Math.round(own.max / 1e6);
      scenario.notes.push(
        `words at most ${late} ms late, each of their ${HOPS} hops at most ${ownDelay} ms by the harness`,
      );
      scenario.expect(late <= onThisMachine(LATE_MS) + HOPS * ownDelay, `a word was ${late} ms late`);
      await Promise.all(
        sends.map(async ({ page, started }) => {
          if (started !== null) await page.stop(started.generationId);
        }),
      );
      await scenario.endAll(sends, 'stopped');
    },
  };
}

const manyValues = amidStreams(
  'B4',
  'bodies of 1 MB with as many values, fields and names as fit',
  async (scenario) => {
    const names = JSON.stringify({ tools: Array.from({ length: 174_000 }, (_, index) => distinctName(index)) });
    const fields = chosen(
      manyFields(MB, CLIENT_JSON.values, true),
      'an object of distinct keys',
      'an object of 20,000 distinct keys',
    );
    const values = ['[]', '{}', '1'].map((value) => Buffer.from(`{"username":[${entries(() => value, MB - 99)}]}`));
    const requests = [
      ...(await byGuests(scenario, 'PATCH', '/api/chat/threads/1', [Buffer.from(names)])),
      ...(await byGuests(scenario, 'POST', '/api/login', [...fields, ...values])),
    ];
    return () => sendEach(scenario, requests);
  },
);

const largeMessages = amidStreams('B5', 'messages of 24 MB whose content is parsed again', async (scenario) => {
  const inputs = [
    'content with 2,000,000 attachments {}',
    'content with 1,000,000 fields',
    'content of 500,000 lists in one another',
    'plain content of 24 MB in Japanese',
    'content with text of 24 MB',
    'three data URLs that fill the bound',
  ];
  const bodies = chosen(contentBodies(LIMITS.messageJsonBytes), ...inputs);
  const requests = await byGuests(scenario, 'POST', '/api/chat/message', bodies);
  return () => sendEach(scenario, requests);
});

const programs = amidStreams('B6', 'a program sends bodies of 32 MB and of 200,000 values', async (scenario) => {
  const path = '/api/v1/chat/completions';
  const inputs = [
    'messages of {} up to the bound',
    'one message in Japanese, 32 MB',
    'one message of escaped zeros, 32 MB',
    'pictures that fill the bound, 32 MB',
    '"logit_bias" with 60,000 entries',
    'one of "tools" with a schema up to the bound of values',
    'an object of 200,000 distinct keys in an unknown field, 32 MB',
  ];
  const bodies = chosen(gatewayBodies(path, API_LIMITS.jsonBytes, true), ...inputs);
  const user = scenario.harness.member();
  await user.signIn();
  const { body } = await user.browser.post<{ apiKey: string }>('/api/user/apikey/generate');
  const headers = { authorization: `Bearer ${body.apiKey}`, 'content-type': 'application/json' };
  return () =>
    sendEach(
      scenario,
      bodies.map((each) => ({ method: 'POST', path, headers, body: each })),
    );
});

const socketFlood = amidStreams(
  'B7',
  'sockets send events of 256 kB, of 1 MB and thousands in one piece',
  async (scenario) => {
    const start = (room: number, value: string) =>
      textFrame(
        `421["generation:start",${JSON.stringify({ clientMessageId: randomUUID(), threadId: null, model: DEFAULT_MODEL_ID }).slice(0, -1)},"content":{"text":"a","attachments":[${entries(() => value, room)}]}}]`,
      );
    const small = textFrame('421["generation:resume",{}]');
    const bursts = [
      ...Array.from({ length: 10 }, () => start(255 * 1024, '{}')),
      ...Array.from({ length: 5 }, () => start(MB - 400, '{}')),
      start(MB, '1'),
      Buffer.concat(Array.from({ length: 30_000 }, () => small)),
    ];
    const guests: { burst: Buffer; headers: Record<string, string> }[] = [];
    for (const burst of bursts) guests.push({ burst, headers: headersOf(await scenario.harness.guest()) });
    return async () => {
      for (const { burst, headers } of guests) {
        const socket = await RawSocket.open(scenario.harness.url, headers);
        socket.write(burst);
        socket.write(textFrame('429["generation:resume",{}]'));
        await socket.until('439[').catch(() => scenario.violation('a socket was neither answered nor closed'));
        socket.close();
      }
    };
  },
);

const slowBodies = amidStreams('B8', 'many clients send their bodies a byte at a time', async (scenario) => {
  const headers = headersOf(await scenario.harness.guest());
  const requests = connectionRequests(scenario.harness.url, () => headers);
  return async () => {
    for (const { send } of requests) await send(null);
  };
});

const bombs = amidStreams('B9', 'uploads that grow when they are read', async (scenario) => {
  const inputs = [
    'a picture of 100 megapixels',
    'a DOCX of 130 MB',
    'an XLSX of 1,000,000 rows',
    'a text of 10 MB without lines',
    'hyphens',
  ];
  const forms = new Map(uploadsOf('/api/files'));
  const requests: Sent[] = [];
  for (const input of inputs) {
    const headers = headersOf(await scenario.harness.guest(), FORM_TYPE);
    requests.push({ method: 'POST', path: '/api/files', headers, body: await forms.get(input)!() });
  }
  return () => sendEach(scenario, requests);
});

export const hostileFaults: Fault[] = [manyValues, largeMessages, programs, socketFlood, slowBodies, bombs];
