import { type ErrorCode, LIMITS } from '@tanya/contract';
import type { Script, Step } from '../../harness/scripted-answers.js';
import type { Fault } from '../fault.js';
import type { Scenario } from '../scenario.js';

const DONE: Step[] = [{ finish: 'stop' }, { usage: { prompt: 3, completion: 3 } }, { done: true }];

const words = (count: number): string[] => Array.from({ length: count }, (_, index) => `w${index} `);

const texts = (count: number): Step[] => words(count).map((text) => ({ text }));

/** Expects an answer that breaks off after `after` words. */
async function brokenOff(scenario: Scenario, script: Script, after: number, ...codes: ErrorCode[]): Promise<void> {
  const shown = words(after).join('');
  const send = await scenario.taken({ script, expected: shown });
  const message = await scenario.failed(send, after === 0 ? 'error' : 'interrupted', ...codes);
  scenario.expect(message?.content === shown, `expected ${after} words, stored: ${message?.content.slice(0, 80)}`);
}

const refusal = (
  id: string,
  description: string,
  statuses: number[],
  code: ErrorCode,
  headers?: Record<string, string>,
): Fault => ({
  id,
  description,
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const status = scenario.random.pick(statuses);
    const send = await scenario.taken({
      script: { status, headers, body: '{"error":{"message":"sk-scripted select"}}' },
    });
    await scenario.failed(send, 'error', code);
  },
});

/** A malformed stream and the text that it encodes. */
function malformed(scenario: Scenario): { script: Script; text: string } {
  const { random } = scenario;
  const text = `naïve 🙂 café 漢字 ${random.between(0, 9999)} 👩‍👩‍👧 end`;
  const pieces: Step[] = [...text].map((character) => ({ text: character }));
  switch (random.between(0, 5)) {
    case 0:
      return { script: { steps: [...pieces, ...DONE], bytesPerWrite: 1 }, text };
    case 1:
      return { script: { steps: [...pieces, ...DONE], lineEnd: '\r\n', bytesPerWrite: 3 }, text };
    case 2:
      return { script: { steps: [{ raw: '\uFEFF' }, { raw: ': a comment\n\n' }, ...pieces, ...DONE] }, text };
    case 3:
      return { script: { steps: [{ raw: 'event: unknown\nid: 1\nretry: 5\n\n' }, ...pieces, ...DONE] }, text };
    case 4:
      return { script: { steps: [{ chunk: { odd: true, choices: [] } }, ...pieces, ...DONE], lineEnd: '\r' }, text };
    default:
      return { script: { steps: [...pieces, { finish: 'stop' }] }, text };
  }
}

const badKey = refusal('F9', 'the model refuses our key', [401, 403], 'provider_auth');
const noCredit = refusal('F10', 'the provider reports missing credit', [402], 'provider_credit');
const busyForLong = refusal('F11', 'the model is busy for ten minutes', [429], 'provider_busy', {
  'retry-after': '600',
});
const serverError = refusal('F12', 'the model fails, and fails again', [500, 502, 503, 529], 'provider_error');

const busyForMoment: Fault = {
  id: 'F11b',
  description: 'the model is busy for a moment, and then answers',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const busy = { status: scenario.random.pick([429, 503]), headers: { 'retry-after': '1' } };
    const send = await scenario.taken({
      script: [busy, { steps: [...texts(5), ...DONE] }],
      expected: words(5).join(''),
    });
    await scenario.end(send, 'complete');
  },
};

const unreachable: Fault = {
  id: 'F13',
  description: 'nothing listens where the model should be',
  on: ['many', 'one'],
  run: async (scenario) => {
    scenario.harness.upstreamProxy.refuse();
    const send = await scenario.taken({ words: 3 });
    await scenario.failed(send, 'error', 'provider_unreachable');
    scenario.harness.upstreamProxy.restore();
    const next = await scenario.taken({ page: send.page, threadId: send.started?.threadId, words: 3 });
    await scenario.end(next, 'complete');
  },
};

const hangsBefore: Fault = {
  id: 'F14',
  description: 'the model hangs before its first word',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const waits = await scenario.taken({ script: { steps: [{ stall: true }] }, expected: '' });
    const stopped = await scenario.taken({ script: { steps: [{ stall: true }] }, expected: '' });
    await scenario.moment(0, 200);
    await stopped.page.stop(stopped.started!.generationId);
    await scenario.end(stopped, 'stopped');
    await scenario.failed(waits, 'error', 'timeout_first_token');
  },
};

const hangsAmid: Fault = {
  id: 'F15',
  description: 'the model hangs in the middle',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const after = scenario.random.between(1, 30);
    await brokenOff(scenario, { steps: [...texts(after), { stall: true }] }, after, 'timeout_idle');
  },
};

const garbled: Fault = {
  id: 'F16',
  description: 'the stream is odd: single bytes, CRLF, BOM, comments, unknown fields, no [DONE]',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const { script, text } = malformed(scenario);
    const send = await scenario.taken({ script, expected: text });
    await scenario.end(send, 'complete');
  },
};

const noStream: Fault = {
  id: 'F16b',
  description: 'a page of HTML, broken JSON or half a line in place of a stream',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const script = scenario.random.pick<Script>([
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html><script>alert(1)</script></html>' },
      { steps: [{ raw: 'data: {"choices":[{"delta":{"content":"x"\n\n' }] },
      { steps: [{ raw: 'data: {"choi' }] },
      { status: 200, body: '{}' },
    ]);
    const send = await scenario.taken({ script });
    await scenario.failed(send, 'error', 'provider_error');
  },
};

const errorEvent: Fault = {
  id: 'F17',
  description: 'an error comes as an event of the stream',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const after = scenario.random.pick([0, 50]);
    const steps: Step[] = [...texts(after), { error: { message: 'scripted', code: 502 } }];
    const send = await scenario.taken({ script: { steps }, expected: words(after).join('') });
    const message = await scenario.failed(send, 'error', 'provider_error');
    scenario.expect(message?.content === send.expected, `expected ${after} words, stored: ${message?.content}`);
  },
};

const reset: Fault = {
  id: 'F18',
  description: 'the connection to the model is reset in the middle',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const after = scenario.random.between(1, 60);
    const shown = words(after).join('');
    let cut = (): void => undefined;
    // A reset discards what its receiver has not read.
    const arrival = new Promise<void>((resolve) => (cut = resolve));
    const steps: Step[] = [...texts(after), { wait: arrival }, { cut: true }];
    const send = await scenario.taken({ script: { steps, pace: 2 }, expected: shown });
    await scenario.until(() => scenario.answerOf(send).text === shown, 'the text before the reset');
    cut();
    await scenario.failed(send, 'interrupted', 'provider_error', 'provider_unreachable');
  },
};

const huge: Fault = {
  id: 'F19',
  description: 'an answer without an end, or one piece of 5 MB',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const big = scenario.random.pick<Script>([
      { steps: [{ text: 'a'.repeat(5_000_000) }, ...DONE] },
      { steps: [{ text: 'b'.repeat(4_000) }], endless: true },
    ]);
    const send = await scenario.taken({ script: big });
    const message = await scenario.end(send, 'complete');
    const length = message?.content.length ?? 0;
    scenario.expect(length <= LIMITS.answerCharacters && length > LIMITS.answerCharacters - 4_000, `cut at ${length}`);
    scenario.expect(message?.notice != null, 'the notice of the cut is missing');
  },
};

const badPicture: Fault = {
  id: 'F45',
  description: 'an image that is HTML, too large, or at a private address',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const body = scenario.random.pick([
      '<html></html>',
      JSON.stringify({ created: 1, data: [{ url: 'http://169.254.169.254/latest/meta-data' }] }),
      JSON.stringify({ created: 1, data: [{ b64_json: Buffer.alloc(30_000_000).toString('base64') }] }),
      JSON.stringify({ created: 1, data: [{ b64_json: Buffer.from('<svg onload=alert(1)>').toString('base64') }] }),
    ]);
    const send = await scenario.taken({ model: 'gpt-image-1', script: { on: 'images', body } });
    await scenario.failed(send, 'error', 'provider_error', 'provider_refused');
  },
};

export const upstreamFaults: Fault[] = [
  badKey,
  noCredit,
  busyForLong,
  busyForMoment,
  serverError,
  unreachable,
  hangsBefore,
  hangsAmid,
  garbled,
  noStream,
  errorEvent,
  reset,
  huge,
  badPicture,
];
