import type { GenerationError, GenerationEvent, TerminalStatus, ToolPart } from '@tanya/contract';
import type { SuspendedAnswer } from '../store/suspension.js';
import type { GenerationRun } from './generation-run.js';

/** How writing an answer ended. */
export interface ReadOutcome {
  status: TerminalStatus;
  error: GenerationError | null;
  /** The stored content when it is more than the run's text. */
  content?: string;
}

/** The answer waits for approvals. */
export interface WaitingOutcome {
  status: 'waiting';
  calls: ToolPart[];
  answer: SuspendedAnswer;
  /** The events that show the calls, recorded but not sent. */
  events: GenerationEvent[];
}

/** Port: writes the answer of a run. `steps/` implements it. */
export abstract class AnswerSource {
  /** Writes to the end, or until calls wait. Never throws: every failure is an outcome. */
  abstract read(run: GenerationRun): Promise<ReadOutcome | WaitingOutcome>;
}
