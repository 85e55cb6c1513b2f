import { GenerationRun } from '../live/generation-run.js';
import type { MessageSpec } from '../live/run-spec.js';
import { decodeRun, encodeRun } from './saved-run.js';

const PROGRESS = { steps: 1, turns: [], isShort: false, takesTools: null, provider: 'demo' };

/** As the first version that had approvals stored it. */
const FIRST = {
  answer: PROGRESS,
  seq: 4,
  usage: { promptTokens: 10, completionTokens: 4 },
  pricing: null,
  meter: {
    tokens: { promptTokens: 10, completionTokens: 4, cachedTokens: null, reasoningTokens: null },
    unpriced: { requests: 1, promptTokens: 10, completionTokens: 4, cachedTokens: 0, images: 0 },
    billed: '0',
    isEstimate: false,
    calls: 1,
    answeringModel: null,
  },
  recorded: {
    promptTokens: 10,
    completionTokens: 4,
    cachedTokens: null,
    reasoningTokens: null,
    costUsd: null,
    costSource: 'unknown',
    answeringModel: null,
    firstTokenMs: 12,
    totalMs: 40,
  },
  notices: ['Your message was cut.'],
  noticeCodes: [{ code: 'message_cut' }],
  connection: 'demo',
  tools: { offered: ['ask'], maxSteps: 3, supported: null, address: '10.0.0.1' },
  showsCause: false,
  isFirst: true,
  instructions: null,
} as const;

const SPEC = {
  kind: 'message',
  generationId: 'run',
  thread: { threadId: 1, messageId: 2, showsCause: true, lacksTitle: true, isTemporary: false, projectId: 7 },
  asker: { userId: 1, address: '10.0.0.1' },
  model: { pricing: null, supportsTools: true },
  isBudgeted: true,
  tools: { offered: [{ name: 'ask' }], maxSteps: 3 },
} as unknown as MessageSpec;

describe('a saved run', () => {
  it('is read as the first version with approvals has stored it', () => {
    expect(decodeRun(JSON.stringify(FIRST))).toMatchObject({
      progress: PROGRESS,
      meter: FIRST.meter,
      recorded: FIRST.recorded,
      notices: [{ code: 'message_cut' }],
      tools: FIRST.tools,
      lacksTitle: true,
      isBudgeted: false,
      isSearchOffered: false,
      isTemporary: false,
      projectId: null,
      citations: null,
      attempts: [],
    });
  });

  it('gives the next run the state of the one that was saved', () => {
    const run = new GenerationRun(SPEC, 'user:1');
    run.addUsage({ promptTokens: 30, completionTokens: 8 });
    run.notices.add({ code: 'tools_unsupported' });
    run.citations.next();
    run.noteAttempt('provider_error');
    const saved = decodeRun(encodeRun(run, PROGRESS));
    expect(saved).toMatchObject({ progress: PROGRESS, isBudgeted: true, lacksTitle: true, projectId: 7 });
    expect(saved.tools).toEqual({ offered: ['ask'], maxSteps: 3, supported: true, address: '10.0.0.1' });
    const checkpoint = { text: '', reasoning: '', parts: [], seq: 4 };
    const next = new GenerationRun({ ...SPEC, restored: { ...saved, checkpoint } }, 'user:1');
    const { recorded: _, ...state } = next.state;
    expect(run.state).toMatchObject(state);
  });
});
