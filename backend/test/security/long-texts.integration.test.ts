import { randomUUID } from 'node:crypto';
import { LIMITS } from '@tanya/contract';
import type { Answer } from '../harness/http-client.js';
import { writtenAddresses } from '../../src/chat/generation/run/known-addresses.js';
import { demoAnswer } from '../../src/providers/demo/demo-answer.js';
import { cleanFileName } from '../../src/files/file-name.js';
import { parseDataUrl } from '../../src/files/upload/data-url.js';
import { starterLines } from '../../src/starters/starters.service.js';
import { actors, harness } from './security-harness.js';
import { PASSWORD } from '../harness/test-app.js';

const LONG = 100_000;

/** The same text at a quarter of the length takes a quarter of the work if the work is linear. */
const SHORT = LONG / 4;

const repeat = (piece: string) => (length: number) => piece.repeat(length / piece.length);

/** Texts that make a regular expression backtrack. */
const TEXTS: Record<string, (length: number) => string> = {
  'one letter': repeat('a'),
  'open brackets': repeat('('),
  'unclosed emphasis': repeat('*_'),
  'open links': repeat('[]('),
  'unclosed tags': repeat('<a '),
  quotes: (length) => `x${repeat('"')(length)}x`,
  stars: (length) => `x${repeat('*')(length)}x`,
  'inner blanks': (length) => `x${repeat(' ')(length)}x`,
  'a sum and blanks': (length) => `1+1=${repeat(' ')(length)}x`,
  signs: (length) => `1+1${repeat(' = ')(length)}x`,
  'inner dots': (length) => `x${repeat('.')(length)}x`,
  'parameters of a type': (length) => `data:a/b${repeat(';a=b')(length)}x`,
  addresses: repeat('a@a.'),
  lines: repeat(' \n'),
};

/** Work below this is negligible, whatever its growth, ms of processor time. */
const NEGLIGIBLE_MS = 200;

/** Growth from SHORT to LONG: linear work grows by 4, quadratic work by 16. */
const LARGEST_GROWTH = 8;

/** Runs of work that is not negligible. */
const RUNS = 4;

const TIMEOUT_MS = 300_000;

/** Least processor time of several runs, ms. Other work of this process only adds to a run. */
async function costOf(work: () => unknown, runs: number): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    await work();
    costs.push(process.cpuUsage(before).user / 1000);
  }
  return Math.min(...costs);
}

/** Whether one of three runs takes less than NEGLIGIBLE_MS. */
async function isNegligible(work: () => unknown): Promise<boolean> {
  for (let run = 0; run < 3; run++) if ((await costOf(work, 1)) < NEGLIGIBLE_MS) return true;
  return false;
}

/** The texts whose work grows faster than their length. A slow machine slows both lengths alike. */
async function superlinear(work: (text: string) => unknown): Promise<string[]> {
  const found: string[] = [];
  for (const [kind, text] of Object.entries(TEXTS)) {
    const [short, long] = [text(SHORT), text(LONG)];
    if (await isNegligible(() => work(long))) continue;
    const cost = await costOf(() => work(long), RUNS);
    const growth = cost / (await costOf(() => work(short), RUNS));
    if (cost >= NEGLIGIBLE_MS && growth > LARGEST_GROWTH) found.push(`${kind}: ${cost} ms, grows by ${growth}`);
  }
  return found;
}

describe('LIM-4: a text that provokes backtracking', () => {
  const message = (text: string) => `${text.slice(0, LIMITS.messageText - 1)}x`;
  const calls: Record<string, (text: string) => Promise<Answer<unknown>>> = {
    'a message': (text) => actors.owner.post('/api/chat/message', { content: text }),
    'a message of the largest length': (text) => actors.premium.post('/api/chat/message', { content: message(text) }),
    'the name of a file in a message': (fileName) =>
      actors.premium.post('/api/chat/message', {
        content: JSON.stringify({ text: 'See', fileUrl: 'data:text/plain,See', fileName }),
      }),
    'a title': (title) => actors.owner.patch('/api/chat/threads/1', { title }),
    'a search': (text) => actors.owner.get(`/api/chat/threads?query=${encodeURIComponent(text.slice(0, 4_000))}`),
    'a name at login': (username) => harness.client().post('/api/login', { username, password: PASSWORD }),
    'a password': (password) => harness.client().post('/api/register', { username: randomUUID(), password }),
    'the fields of an account': (text) =>
      actors.admin.post('/api/admin/users', {
        username: text,
        password: PASSWORD,
        fullName: text,
        email: text,
        phoneNumber: text,
      }),
    'an address': (email) =>
      actors.admin.post('/api/admin/users', { username: randomUUID(), password: PASSWORD, email: `${email}@a.de` }),
    'a base URL': (openaiBaseUrl) => actors.admin.patch('/api/admin/general-settings', { openaiBaseUrl }),
    'a description of a picture': (prompt) => actors.owner.post('/api/generate-image', { prompt }),
    'a prompt of a program': (content) =>
      actors.key.post('/api/v1/chat/completions', {
        model: 'openai/gpt-4o-mini',
        messages: [{ role: 'user', content }],
      }),
  };

  it.each(Object.keys(calls))(
    'as %s takes linear work',
    async (name) => {
      const broken: string[] = [];
      const slow = await superlinear(async (text) => {
        const { status } = await calls[name]!(text);
        if (status >= 500) broken.push(`${status} for ${text.slice(0, 10)}…`);
      });
      expect({ slow, broken }).toEqual({ slow: [], broken: [] });
    },
    TIMEOUT_MS,
  );

  it(
    'is found by this check: quadratic work',
    async () => {
      const quadratic = (text: string) => {
        if (!text.startsWith('(')) return;
        const before = process.cpuUsage();
        const work = (text.length / LONG) ** 2 * 1.25 * NEGLIGIBLE_MS;
        // Asking for the time used is itself work of the system, which is not counted.
        while (process.cpuUsage(before).user / 1000 < work) for (let step = 0; step < 100_000; step++) Math.hypot(step);
      };
      expect(await superlinear(quadratic)).toEqual([expect.stringContaining('open brackets')]);
    },
    TIMEOUT_MS,
  );

  const readers: Record<string, (text: string) => unknown> = {
    'the demo': (text) => demoAnswer({ text: message(text), attachments: 0 }),
    'the reader of starters': starterLines,
    'the cleaning of file names': cleanFileName,
    'the reader of addresses': (text) => writtenAddresses([`https://${text}`], 1_000),
    'the reader of data URLs': (text) => parseDataUrl(text).catch(() => 'refused'),
  };

  it.each(Object.keys(readers))(
    'is read by %s in linear work',
    async (name) => {
      expect(await superlinear(readers[name]!)).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
