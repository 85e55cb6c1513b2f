import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Step } from '../../harness/scripted-answers.js';
import { resultOf } from '../../tools/mcp-server.js';
import type { Fault } from '../fault.js';
import type { Scenario } from '../scenario.js';
import { askAndWait, decide, expectEnd, MCP_TOOL } from './approval-faults.js';

const words = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `w${from + index} 🙂 `);
const texts = (from: number, to: number): Step[] => words(from, to).map((text) => ({ text }));
const event = (data: object, name?: string): Step => ({
  raw: `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`,
});
const chunk = (delta: object, more: object = {}): Step => ({
  chunk: { choices: [{ index: 0, delta, finish_reason: null, ...more }] },
});

const DONE: Step[] = [{ finish: 'stop' }, { usage: { prompt: 3, completion: 3 } }, { done: true }];
const LATE = 'late word ';

/** Dialects in which the rest of an answer can be read. */
const READABLE: Step[][] = [
  [chunk({ content: [{ type: 'text', text: LATE }] }), ...DONE],
  [chunk({ content: LATE, role: null, tool_calls: null, reasoning: null }), chunk({}, { finish_reason: 'STOP' })],
  [
    {
      raw: `: OPENROUTER PROCESSING\r\n\r\ndata:${JSON.stringify({ choices: [{ delta: { content: LATE } }] })}\r\n\r\n`,
    },
    ...DONE,
  ],
  [
    { raw: `data: ${JSON.stringify({ choices: [{ delta: { content: LATE } }] })}\n` },
    { raw: `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'eos' }] })}\ndata: [DONE]\n\n` },
  ],
];

/** Dialects in which nobody can tell how an answer goes on. None of these is a whole answer. */
const UNREADABLE: Step[][] = [
  [
    event({ type: 'content_block_delta', delta: { type: 'text_delta', text: LATE } }, 'content_block_delta'),
    event({ type: 'message_stop' }, 'message_stop'),
  ],
  [
    event({ type: 'response.output_text.delta', delta: LATE }, 'response.output_text.delta'),
    event({ type: 'response.completed', response: { status: 'completed' } }, 'response.completed'),
  ],
  [{ raw: `{"message":{"content":"${LATE}"},"done":false}\n{"done":true,"done_reason":"stop"}\n` }],
  [{ raw: '<html><body>502 Bad Gateway</body></html>' }],
  [event({ candidates: [{ content: { parts: [{ text: LATE }] }, finishReason: 'STOP' }] })],
  [event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error')],
];

const changedDialect: Fault = {
  id: 'F49',
  description: 'the model changes its dialect in mid-answer, to one that can be read or not',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const after = scenario.random.between(1, 30);
    const isReadable = scenario.random.pick([true, false]);
    const rest = scenario.random.pick(isReadable ? READABLE : UNREADABLE);
    const shown = words(0, after).join('');
    const send = await scenario.taken({
      script: { steps: [...texts(0, after), ...rest], bytesPerWrite: scenario.random.pick([undefined, 1, 7]) },
      expected: isReadable ? shown + LATE : shown,
    });
    if (isReadable) await scenario.end(send, 'complete');
    else await scenario.end(send, 'error', 'interrupted');
  },
};

/** Longest silence of a proxy, ms: shorter than the timeouts of a provider. */
const SILENCE = 1_200;

const bufferingProxy: Fault = {
  id: 'F50',
  description: 'a proxy holds the whole answer or its rest back, and gives it at once, in pieces of odd sizes',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const { random } = scenario;
    const before = random.pick([0, 0, 10]);
    const all = words(0, 200).join('');
    const rest = [...texts(before, 200), ...DONE].map(bytesIn).join('');
    const silence: Step = { wait: random.between(200, SILENCE) };
    const steps: Step[] = [...texts(0, before), silence, { raw: rest }];
    const send = await scenario.taken({
      script: { steps, bytesPerWrite: random.pick([undefined, 3, 4_095]) },
      expected: all,
    });
    await scenario.end(send, 'complete');
  },
};

/** The bytes of a step, as one text. */
function bytesIn(step: Step): string {
  if ('done' in step) return 'data: [DONE]\n\n';
  const choice =
    'finish' in step
      ? { delta: {}, finish_reason: step.finish }
      : { delta: { content: 'text' in step ? step.text : '' } };
  return `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
}

const endsAndAsksToResume: Fault = {
  id: 'F51',
  description: 'the model ends its stream and asks to resume it, which no model can',
  isLocal: true,
  on: ['many', 'one'],
  run: async (scenario) => {
    const after = scenario.random.between(1, 30);
    const shown = words(0, after).join('');
    const steps: Step[] = [{ raw: 'retry: 10\n\n' }, ...texts(0, after), { raw: 'id: 7\nretry: 10\ndata: \n\n' }];
    const send = await scenario.taken({ script: { steps }, expected: shown });
    await scenario.end(send, 'interrupted', 'error');
  },
};

type Rpc = Parameters<typeof resultOf>[0];

/** The answer of the tool, as a server writes it into its stream. */
const answerTo = (rpc: Rpc): Buffer =>
  Buffer.from(
    `id: last\ndata: ${JSON.stringify(resultOf(rpc, { content: [{ type: 'text', text: 'found 🙂' }] }))}\n\n`,
  );

async function writeInPieces(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await sleep(0);
  }
}

const begin = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

/** Lets a call of the MCP tool run, whose server answers as the hijacks say. */
async function callTool(scenario: Scenario): Promise<void> {
  const asked = await askAndWait(scenario, MCP_TOOL);
  await decide(asked.send, true);
  await expectEnd(scenario, asked, true);
  scenario.harness.mcp.hijacks.clear();
}

const bufferingProxyOfTools: Fault = {
  id: 'F50b',
  description: 'a proxy holds the answer of a tool server back, and gives it in pieces of odd sizes',
  on: ['many', 'one'],
  run: async (scenario) => {
    const silence = scenario.random.between(200, SILENCE);
    const size = scenario.random.pick([1, 3, 4_095]);
    scenario.harness.mcp.hijacks.set('tools/call', async (response, rpc) => {
      await sleep(silence);
      begin(response);
      await writeInPieces(response, Buffer.concat([Buffer.from(': ping\n\n'.repeat(50)), answerTo(rpc)]), size);
      response.end();
    });
    await callTool(scenario);
  },
};

const toolServerAsksToResume: Fault = {
  id: 'F51b',
  description: 'a tool server ends or breaks the stream of a call several times, and asks to resume it',
  on: ['many', 'one'],
  run: async (scenario) => {
    const { random, harness } = scenario;
    const breaks = random.between(1, 4);
    const isReset = random.pick([true, false]);
    let called: Rpc | undefined;
    let ended = 0;
    const end = async (response: ServerResponse): Promise<void> => {
      ended += 1;
      begin(response).write(`id: e${ended}\nretry: ${random.between(1, 100)}\ndata: \n\n`);
      await sleep(20);
      if (isReset) response.socket?.resetAndDestroy();
      else response.end();
    };
    harness.mcp.hijacks.set('tools/call', async (response, rpc) => {
      called = rpc;
      await end(response);
    });
    harness.mcp.hijacks.set('GET', async (response, _rpc, request) => {
      const place = request.headers['last-event-id'];
      scenario.expect(place === `e${ended}`, `it was resumed after ${String(place)} instead of e${ended}`);
      if (ended < breaks) return end(response);
      await writeInPieces(begin(response), answerTo(called!), random.pick([1, 5, 1_000]));
      response.end();
    });
    await callTool(scenario);
    scenario.expect(ended === breaks, `the stream was resumed ${ended} times`);
  },
};

export const dialectFaults: Fault[] = [
  changedDialect,
  bufferingProxy,
  bufferingProxyOfTools,
  endsAndAsksToResume,
  toolServerAsksToResume,
];
