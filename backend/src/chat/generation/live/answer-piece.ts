import type { Logprobs, ReasoningName } from '../store/generation-store.js';
import type { ClientCallDelta } from './client-calls.js';

/** The next piece of a detached answer, as its client reads it. */
export type AnswerPiece = (
  | { type: 'text'; text: string }
  | { type: 'reasoning'; name: ReasoningName; text: string }
  /** All of them, once. */
  | { type: 'reasoning-details'; details: unknown[] }
  | ({ type: 'logprobs' } & Logprobs)
  | ClientCallDelta
) & {
  /** Of several answers (`n`), the number of a further one. */
  choice?: number;
};
