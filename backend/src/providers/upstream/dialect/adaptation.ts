import { type Fields, isFields } from '../../../platform/json/fields.js';
import type { FailureDetail } from './error-shape.js';

export type Body = Readonly<Record<string, unknown>>;

export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

export const hasTools = (body: Body): boolean => listOf(body['tools']).length > 0;

export const changeMessages = (change: (message: Fields) => Fields) => (body: Body) =>
  Array.isArray(body['messages']) ? { ...body, messages: listOf(body['messages']).map(change) } : body;

/** How a server refused a request. */
export type Refusal = Pick<FailureDetail, 'message' | 'param'>;

/** Words of a refusal of a value, which another name does not change. */
export const OF_VALUE =
  /too (large|big|high|small|low|many)|at (most|least)|(less|greater|more|fewer) than|[<>]=? ?\d|(maximum|minimum) (allowed|value|number)|exceed|out of range/i;

/** A change of a request for servers that refuse it as it is, though the answer is the same. Another one is one row. */
export interface Adaptation {
  /** As it is remembered for a connection and model, and shown on the connection's page. */
  readonly name: string;
  /** Whether the answer is worse for it. It is remembered after a refusal alone: failures that pass name parameters too. */
  readonly isCostly?: boolean;
  /** Whether a refusal asks for it by its words. @param changed names of the changes that the request has */
  isNamed(refusal: Refusal, body: Body, changed: ReadonlySet<string>): boolean;
  /** Whether a refusal in other words may ask for it. Then it is tried, and not remembered. */
  isPossible?(body: Body, refusal: Refusal): boolean;
  /** @param changed names of the changes that the request has */
  apply(body: Body, changed: ReadonlySet<string>): Body;
}
