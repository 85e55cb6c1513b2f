import type { Instructions, MessageNotice, ModelPricing, ToolPart } from '@tanya/contract';
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

/** The state that a run needs to continue on any node, beside its generation and its message. Stored as JSON. */
export interface Suspension {
  /** The steps so far, without their parts, which are in the message. */
  answer: {
    /** Steps in which the model has called tools, the last one included. */
    steps: number;
    turns: StepTurn[];
    /** Whether results are shortened, because the provider refused the length. */
    isShort: boolean;
    takesTools: boolean | null;
    provider: string;
  };
  usage: { promptTokens: number; completionTokens: number } | null;
  pricing: ModelPricing | null;
  meter: MeterState;
  /** The usage for the ledger, if the answer ends now. */
  recorded: RecordedUsage;
  noticeCodes: MessageNotice[];
  tools: { offered: string[]; maxSteps: number; supported: boolean | null; address: string };
  showsCause: boolean;
  instructions: Instructions | null;
  // The fields below are absent where an earlier version stored the state.
  /** Whether the generation holds an amount in budgets. */
  isBudgeted?: boolean;
  /** Whether a step offered the web search of the provider. */
  isSearchOffered?: boolean;
  /** Whether the thread gets a title after this answer. */
  lacksTitle?: boolean;
  /** Whether the thread is temporary. */
  isTemporary?: boolean;
  projectId?: number | null;
  citations?: { last: number; passages: [number: number, passage: Passage][] };
  /** Models that failed before the one that answers. */
  attempts?: Attempt[];
}

/** The error that the model reads of a call that the user denied. */
const DENIED = 'The user denied this call.';

/** The part of a waiting call after the user's decision. An allowed one waits until all calls of its step are decided. */
export const decidedPart = (part: ToolPart, isAllowed: boolean): ToolPart =>
  isAllowed ? { ...part, approved: true } : { ...part, state: 'denied', error: DENIED };

/** The part of a call that no longer waits. */
export function withoutApproval({ approved, ...part }: ToolPart, change: Pick<ToolPart, 'state' | 'error'>): ToolPart {
  return { ...part, ...change };
}
