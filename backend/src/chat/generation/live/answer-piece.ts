import type { Logprobs, ReasoningName, WrittenChoice } from '../store/generation-store.js';
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
  /** Which of the answers to the request, from 0 on. */
  choice: number;
};

/** An answer, or what is written of it, in pieces. */
export function* piecesOf({ choice, text, reasoning, calls = [], logprobs }: WrittenChoice): Generator<AnswerPiece> {
  if (reasoning?.text) yield { type: 'reasoning', choice, name: reasoning.name, text: reasoning.text };
  if (text !== '') yield { type: 'text', choice, text };
  if (reasoning?.details) yield { type: 'reasoning-details', choice, details: reasoning.details };
  for (const [index, { id, name, arguments: json }] of calls.entries())
    yield { type: 'client-call', choice, index, start: { id, name }, json };
  if (logprobs !== undefined) yield { type: 'logprobs', choice, ...logprobs };
}
