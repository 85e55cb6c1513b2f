import { GenerationRun } from '../live/generation-run.js';
import type { MessageSpec } from '../live/run-spec.js';
import { AnswerWriter } from './answer-writer.js';
import type { RunServices } from './run-services.js';
import { ToolCalls } from './tool-calls.js';

const TOOL = {
  name: 'clock',
  title: 'Clock',
  policy: 'allow',
  prepare: () => Promise.resolve(() => Promise.resolve({ text: 'noon' })),
};

const SPEC = {
  kind: 'message',
  generationId: 'run',
  thread: { threadId: 1, messageId: 2 },
  asker: { userId: 1 },
  model: { pricing: null },
  tools: { offered: [TOOL] },
} as unknown as MessageSpec;

it.each(['identity', 'calls'])('rejects a step whose %s failed only after the other has settled', async (failed) => {
  const failure = new Error('refused');
  let resolveOther: (value: unknown) => void = () => undefined;
  const other = new Promise((resolve) => (resolveOther = resolve));
  const run = new GenerationRun(SPEC, 'user:1');
  const services = {
    timings: { settleRetry: 0 },
    access: { now: () => (failed === 'identity' ? Promise.reject(failure) : other) },
    saver: { saveWith: (_: unknown, write: (chunk: null) => unknown) => write(null) },
    calls: { commitCalls: () => (failed === 'identity' ? other : Promise.reject(failure)) },
    tools: { usable: () => Promise.resolve([TOOL]) },
    sockets: { emit: () => undefined },
    ownership: { isVerified: true },
  } as unknown as RunServices;
  const calls = new ToolCalls(run, new AnswerWriter(run, services), services);
  let isRejected = false;
  const step = calls
    .runStep([{ type: 'tool-call', id: 'one', name: TOOL.name, args: {} }], 'scripted')
    .catch((error) => {
      isRejected = true;
      return error as unknown;
    });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isRejected).toBe(false);
  resolveOther(failed === 'identity' ? true : {});
  expect(await step).toBe(failure);
});
