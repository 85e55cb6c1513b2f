import type { GenerationEvent, TerminalStatus, ToolPart } from '@tanya/contract';
import type { StoredError } from '../../../platform/errors/app-error.js';
import type { SuspendedAnswer } from '../store/suspension.js';

export interface ReadOutcome {
  status: TerminalStatus;
  error: StoredError | null;
  /** The stored content when it is more than the run's text. */
  content?: string;
}

export interface WaitingOutcome {
  status: 'waiting';
  calls: ToolPart[];
  answer: SuspendedAnswer;
  /** The events that show the calls, recorded but not sent. */
  events: GenerationEvent[];
}
