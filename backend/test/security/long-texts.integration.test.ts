import { randomUUID } from 'node:crypto';
import { LIMITS } from '@tanya/contract';
import type { Answer } from '../harness/http-client.js';
import { demoAnswer } from '../../src/providers/demo/demo-answer.js';
import { starterLines } from '../../src/starters/starter-lines.js';
import { cast, world } from './security-harness.js';
import { PASSWORD } from '../harness/test-app.js';

const LONG = 100_000;

const long = (piece: string) => piece.repeat(LONG / piece.length);

/** What makes a pattern try every way to read it, and fail. */
const TEXTS: Record<string, string> = {
  'one letter': long('a'),
  'open brackets': long('('),
  'emphasis without end': long('*_'),
  'open links': long('[]('),
  'tags without end': long('<a '),
  quotes: `x${long('"')}x`,
  stars: `x${long('*')}x`,
  'blanks in between': `x${long(' ')}x`,
  'a sum and blanks': `1+1=${long(' ')}x`,
  signs: `1+1${long(' = ')}x`,
  addresses: long('a@a.'),
  lines: long(' \n'),
};

/** Processor time and not the clock's, the best of some: other work on this machine is not counted. In ms. */
async function costOf(work: () => unknown, times = 3): Promise<number> {
  const costs: number[] = [];
  for (let time = 0; time < times; time++) {
    const before = process.cpuUsage();
    await work();
    costs.push(process.cpuUsage(before).user / 1000);
  }
  return Math.min(...costs);
}

/** What nobody notices, ms. */
const BLOCKED = 200;

/** How often the cost of plain words a text may have, up to a second: where a machine is slow, it is slow for those as well. */
const OF_PLAIN_WORDS = 5;
const BLOCKED_ANYWHERE = 1_000;

async function slowFor(work: (text: string) => unknown): Promise<string[]> {
  const slow: string[] = [];
  const plain = await costOf(() => work(long('plain ')));
  const bound = Math.max(BLOCKED, Math.min(OF_PLAIN_WORDS * plain, BLOCKED_ANYWHERE));
  for (const [kind, text] of Object.entries(TEXTS)) {
    // Answers to the texts before may still be written by this same process: what is slow is so again and again.
    if ((await costOf(() => work(text))) < bound) continue;
    const cost = await costOf(() => work(text), 10);
    if (cost >= bound) slow.push(`${kind}: ${cost} ms`);
  }
  return slow;
}

describe('LIM-4: a text made to be slow', () => {
  const message = (text: string) => `${text.slice(0, LIMITS.messageText - 1)}x`;
  const calls: Record<string, (text: string) => Promise<Answer<unknown>>> = {
    'a message': (text) => cast.owner.post('/api/chat/message', { content: text }),
    'a message as long as may be': (text) => cast.premium.post('/api/chat/message', { content: message(text) }),
    'a title': (title) => cast.owner.patch('/api/chat/threads/1', { title }),
    'a search': (text) => cast.owner.get(`/api/chat/threads?query=${encodeURIComponent(text.slice(0, 4_000))}`),
    'a name at login': (username) => world.client().post('/api/login', { username, password: PASSWORD }),
    'a password': (password) => world.client().post('/api/register', { username: randomUUID(), password }),
    'the fields of an account': (text) =>
      cast.admin.post('/api/admin/users', {
        username: text,
        password: PASSWORD,
        fullName: text,
        email: text,
        phoneNumber: text,
      }),
    'an address': (email) =>
      cast.admin.post('/api/admin/users', { username: randomUUID(), password: PASSWORD, email: `${email}@a.de` }),
    'a base URL': (openaiBaseUrl) => cast.admin.patch('/api/admin/general-settings', { openaiBaseUrl }),
    'a description of a picture': (prompt) => cast.owner.post('/api/generate-image', { prompt }),
    'a prompt of a program': (content) =>
      cast.key.post('/api/v1/chat/completions', { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content }] }),
  };

  it.each(Object.keys(calls))(
    'as %s keeps nobody waiting',
    async (name) => {
      const broken: string[] = [];
      const slow = await slowFor(async (text) => {
        const { status } = await calls[name]!(text);
        if (status >= 500) broken.push(`${status} for ${text.slice(0, 10)}…`);
      });
      expect({ slow, broken }).toEqual({ slow: [], broken: [] });
    },
    60_000,
  );

  const readers: Record<string, (text: string) => unknown> = {
    'the demo': (text) => demoAnswer({ text: message(text), attachments: 0, turn: 1, now: new Date() }),
    'the reader of starters': starterLines,
  };

  it.each(Object.keys(readers))('is read by %s at once', async (name) => {
    expect(await slowFor(readers[name]!)).toEqual([]);
  });
});
