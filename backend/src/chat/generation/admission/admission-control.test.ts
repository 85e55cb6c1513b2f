import { AppError } from '../../../platform/errors/app-error.js';
import { GenerationStopper } from '../generation-stopper.js';
import type { GenerationRow } from '../store/generation-store.js';
import { AdmissionControl } from './admission-control.js';

const unused = {} as never;
const identity = { owner: 'user:1', userId: 1 } as never;
const model = { modelId: 'scripted/model', isImage: false } as never;

interface Situation {
  isDraining?: boolean;
  isLimited?: boolean;
  /** Whether the guests of the address have no message left. */
  isAddressSpent?: boolean;
  /** Running answers of the owner, of at most 20. */
  running?: number;
  /** Messages of the quota that are used or held, of 1. */
  used?: number;
  /** Whether the running answer has text; null for one of another node. */
  isVisible?: boolean | null;
  /** Whether a stop before any output is free. */
  isStopFree?: boolean;
}

/** Regenerates during an answer. @returns the ids of the stopped generations */
async function stoppedBy(situation: Situation) {
  const { isDraining = false, isLimited = false, isAddressSpent = false, running = 1 } = situation;
  const { used = 1, isVisible = true, isStopFree = true } = situation;
  const gate = async (_: unknown, cost: number) => {
    if (used + cost > 1) throw new AppError('quota_exceeded');
  };
  const checkAll = async () => {
    if (isLimited) throw new AppError('rate_limited');
  };
  const checkGuest = async () => {
    if (isAddressSpent) throw new AppError('rate_limited');
  };
  const checkRunning = async (_: unknown, ending: number) => {
    if (running - ending >= 20) throw new AppError('rate_limited');
  };
  const settled: string[] = [];
  const run = {
    parts: { areVisible: isVisible },
    abort: () => void settled.push('run'),
    ended: Promise.resolve({ status: 'stopped' }),
  };
  const registry = { isDraining, find: () => (isVisible === null ? undefined : run) } as never;
  const admission = new AdmissionControl(
    { nodeId: 'own' } as never,
    { find: () => model } as never,
    unused,
    { costOf: () => 1, gate, checkGuest } as never,
    unused,
    { checkAll } as never,
    { checkRunning } as never,
    registry,
    unused,
    unused,
    unused,
    { isLeft: async () => isStopFree } as never,
  );
  const row = { id: 'run', status: 'streaming', modelId: 'scripted/model' } as GenerationRow;
  const finalizeIfDead = async () => {
    settled.push('run');
    return 'stopped';
  };
  const orphans = { finalizeIfDead } as never;
  const stopper = new GenerationStopper(unused, unused, registry, orphans, unused, unused, unused, unused, unused);
  const code = await admission
    .checkBeforeStop(identity, model, [row])
    .then(() => stopper.stopEach([row]))
    .then(() => null)
    .catch((error: AppError) => error.code);
  return { code, stopped: settled.length };
}

it.each([
  ['at a shutdown', { isDraining: true, used: 0 }, 'shutting_down'],
  ['beyond the rate limit', { isLimited: true, used: 0 }, 'rate_limited'],
  ['beyond the limit of an address of guests', { isAddressSpent: true, used: 0 }, 'rate_limited'],
  ['with 20 other running answers', { running: 21, used: 0 }, 'rate_limited'],
  ['with a spent quota', { used: 1 }, 'quota_exceeded'],
  ['with a spent quota and no free stop', { used: 1, isVisible: false, isStopFree: false }, 'quota_exceeded'],
  ['with a spent quota, of another node', { used: 1, isVisible: null }, 'quota_exceeded'],
])('keeps a running answer when the next one is refused %s', async (_case, situation: Situation, code) => {
  expect(await stoppedBy(situation)).toEqual({ code, stopped: 0 });
});

it.each([
  ['with quota left', { used: 0 }],
  ['that is one of 20', { running: 20, used: 0 }],
  ['with the message that its stop releases', { used: 1, isVisible: false }],
])('stops a running answer for the next one %s', async (_case, situation: Situation) => {
  expect(await stoppedBy(situation)).toEqual({ code: null, stopped: 1 });
});
