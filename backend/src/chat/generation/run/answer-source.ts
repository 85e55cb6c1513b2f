import type { GenerationError, TerminalStatus } from '@tanya/contract';
import type { GenerationRun } from './generation-run.js';

/** How writing an answer ended. */
export interface ReadOutcome {
  status: TerminalStatus;
  error: GenerationError | null;
  /** The stored content when it is more than the run's text. */
  content?: string;
}

/** Port: writes the answer of a run. `steps/` implements it. */
export abstract class AnswerSource {
  /** Writes to the end. Never throws: every failure is an outcome. */
  abstract read(run: GenerationRun): Promise<ReadOutcome>;
}
