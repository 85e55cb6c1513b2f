import type { ToolPart, ToolState } from '@tanya/contract';
import type { AnswerPart } from '../../messages/stored-parts.js';

/*
 * The life of a call of a tool: waiting → allowed → running → ended.
 *
 * | stage   | part                         | row of `tool_call`              |
 * | ------- | ---------------------------- | ------------------------------- |
 * | waiting | `waiting`                    | `waiting`, without a decision   |
 * | allowed | `waiting`, `approved`        | `waiting`, with a decision      |
 * | running | `running`                    | `running`                       |
 * | ended   | one of `ENDED_STATES`        | the same                        |
 *
 * A call that needs no approval begins as `running`, and one that may not run as `failed`. An allowed one waits until all
 * calls of its step are decided; the node of the last decision then runs it. No call runs twice: the end of its generation
 * interrupts a running one, and denies one that waits.
 */

export type EndedState = Exclude<ToolState, 'waiting' | 'running'>;

export const ENDED_STATES: readonly EndedState[] = ['done', 'failed', 'denied', 'interrupted'];

/** The error that the model reads of a call that the user denied. */
const DENIED = 'The user denied this call.';

export const isAllowed = ({ state, approved }: ToolPart): boolean => state === 'waiting' && approved === true;

export const hasEnded = ({ state }: ToolPart): boolean => state !== 'waiting' && state !== 'running';

export const waitingCall = (call: ToolPart): ToolPart => inState(call, { state: 'waiting' });

/** A waiting call after the user's decision. */
export const decidedCall = (call: ToolPart, allow: boolean): ToolPart =>
  allow ? { ...call, approved: true } : inState(call, { state: 'denied', error: DENIED });

export const runningCall = (call: ToolPart): ToolPart => inState(call, { state: 'running' });

export const endedCall = (call: ToolPart, state: EndedState, error?: string): ToolPart =>
  inState(call, error === undefined ? { state } : { state, error });

/** The parts of an answer that ends now: its calls that did not end never run again. */
export const endOpenCalls = (parts: readonly AnswerPart[], state: 'interrupted' | 'denied'): AnswerPart[] =>
  parts.map((part) => (part.type === 'tool' && !hasEnded(part) ? endedCall(part, state) : part));

function inState({ approved, ...call }: ToolPart, change: Pick<ToolPart, 'state' | 'error'>): ToolPart {
  return { ...call, ...change };
}
