import type { MessageNotice, ModelPricing } from '@tanya/contract';
import type { MessageRun } from '../live/generation-run.js';
import type { AnswerProgress, CommonSpec, RunState, RunThread } from '../live/run-spec.js';

/** What a run that waits needs to go on on any node, beside its generation and its message. */
export interface SavedRun
  extends
    RunState,
    Pick<CommonSpec, 'isBudgeted'>,
    Pick<RunThread, 'instructions' | 'isTemporary' | 'lacksTitle' | 'projectId' | 'showsCause'> {
  progress: AnswerProgress;
  pricing: ModelPricing | null;
  /** Names of the offered tools, and the address of the asker. */
  tools: { offered: string[]; maxSteps: number; supported: boolean | null; address: string };
}

/** The JSON in `generation.suspension`, of any version: the first ones had `isFirst` for `lacksTitle`. */
type StoredRun = Omit<SavedRun, keyof typeof ADDED | 'lacksTitle' | 'notices' | 'progress'> &
  Partial<SavedRun> & { noticeCodes: MessageNotice[]; answer: AnswerProgress; isFirst?: boolean };

/** The fields that earlier versions did not store. */
const ADDED = {
  isBudgeted: false,
  isSearchOffered: false,
  isTemporary: false,
  projectId: null,
  citations: null,
  attempts: [],
} satisfies Partial<SavedRun>;

/** @returns JSON, which may hold an escaped NUL of a provider's details: Postgres takes that as text alone */
export function encodeRun(run: MessageRun, progress: AnswerProgress): string {
  const { asker, thread, tools, isBudgeted } = run.spec;
  const { pricing, supportsTools: supported = null } = run.model;
  const { offered, maxSteps } = tools!;
  const { showsCause, lacksTitle, isTemporary, instructions, projectId } = thread;
  const saved: SavedRun = {
    ...run.state,
    progress,
    pricing,
    isBudgeted,
    tools: { offered: offered.map(({ name }) => name), maxSteps, supported, address: asker.address },
    showsCause,
    lacksTitle,
    isTemporary,
    instructions,
    projectId,
  };
  const { notices: noticeCodes, progress: answer, ...rest } = saved;
  return JSON.stringify({ ...rest, answer, noticeCodes } satisfies StoredRun);
}

/** @param json of any version */
export function decodeRun(json: string): SavedRun {
  const stored = JSON.parse(json) as StoredRun;
  const { noticeCodes: notices, answer: progress, isFirst = false, lacksTitle = isFirst, ...rest } = stored;
  return { ...ADDED, ...rest, lacksTitle, notices, progress };
}
