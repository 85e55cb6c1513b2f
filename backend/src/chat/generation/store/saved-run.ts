import type { Instructions, MessageNotice, ModelPricing } from '@tanya/contract';
import type { ExtraContent } from '../../../providers/provider.js';
import type { RecordedUsage } from '../../../quota/cost.js';
import type { Passage } from '../../../tools/tool.js';
import type { MeterState } from '../../../quota/usage-meter.js';
import type { Attempt } from './generation-store.js';

/** One step of an answer, for the prompt of the next one. */
export interface StepTurn {
  text: string;
  reasoningContent?: string;
  reasoningDetails?: unknown[];
  callIds: string[];
  /** What the provider adds to its calls, by their ids; absent without any. */
  extraContents?: Record<string, ExtraContent>;
}

/** The steps of an answer so far, without their parts, which are in the message. */
export interface SavedSteps {
  /** Steps in which the model has called tools, the last one included. */
  steps: number;
  turns: StepTurn[];
  /** Whether results are shortened, because the provider refused the length. */
  isShort: boolean;
  takesTools: boolean | null;
  provider: string;
}

export interface SavedCitations {
  last: number;
  passages: [number: number, passage: Passage][];
}

/**
 * What a run that waits for approvals needs to go on on any node, beside its generation and its message. `GenerationRun.saved`
 * writes it, `ApprovalStore` keeps it as JSON. `ThreadRuns.continueRun` makes the next run of it, and that run and its `Steps`
 * take over where it stood.
 */
export interface SavedRun {
  answer: SavedSteps;
  usage: { promptTokens: number; completionTokens: number } | null;
  pricing: ModelPricing | null;
  meter: MeterState;
  /** The usage for the ledger, if the answer ends now. */
  recorded: RecordedUsage;
  noticeCodes: MessageNotice[];
  tools: { offered: string[]; maxSteps: number; supported: boolean | null; address: string };
  showsCause: boolean;
  instructions: Instructions | null;
  /** Whether the generation holds an amount in budgets. */
  isBudgeted: boolean;
  /** Whether a step offered the web search of the provider. */
  isSearchOffered: boolean;
  /** Whether the thread gets a title after this answer. */
  lacksTitle: boolean;
  /** Whether the thread was temporary. */
  isTemporary: boolean;
  projectId: number | null;
  /** null in one of an earlier version, which numbered the sources by their count. */
  citations: SavedCitations | null;
  /** Models that failed before the one that answers. */
  attempts: readonly Attempt[];
}

/** The fields that earlier versions did not store. */
const ADDED = {
  isBudgeted: false,
  isSearchOffered: false,
  lacksTitle: false,
  isTemporary: false,
  projectId: null,
  citations: null,
  attempts: [],
} satisfies Partial<SavedRun>;

/** @param json of any version */
export const readSavedRun = (json: string): SavedRun => ({ ...ADDED, ...(JSON.parse(json) as SavedRun) });
