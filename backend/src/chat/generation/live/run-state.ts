import type { MessageNotice } from '@tanya/contract';
import type { ExtraContent } from '../../../providers/provider.js';
import type { RecordedUsage } from '../../../quota/cost.js';
import type { MeterState } from '../../../quota/usage-meter.js';
import type { Attempt, Checkpoint } from '../store/generation-store.js';
import type { CitationsState } from './citations.js';

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
export interface StepsState {
  /** Steps in which the model has called tools, the last one included. */
  steps: number;
  turns: StepTurn[];
  /** Whether results are shortened, because the provider refused the length. */
  isShort: boolean;
  takesTools: boolean | null;
  /** Kind of the connection that answered the last step. */
  provider: string;
}

/** The state of a run beside its parts and its steps: `GenerationRun.state` gives it, and the next run takes it over. */
export interface RunState {
  /** Tokens of all steps as the provider reported them. */
  usage: { promptTokens: number; completionTokens: number } | null;
  meter: MeterState;
  /** The usage for the ledger, if the answer ends now. */
  recorded: RecordedUsage;
  notices: MessageNotice[];
  /** Whether a step offered the web search of the provider. */
  isSearchOffered: boolean;
  /** null in a state of an earlier version, which numbered the sources by their count. */
  citations: CitationsState | null;
  /** Models that failed before the one that answers. */
  attempts: readonly Attempt[];
}

/** A run as it waited, which the run that continues it takes over. Its calls are decided. */
export interface RestoredRun extends RunState {
  answer: StepsState;
  checkpoint: Checkpoint;
}
