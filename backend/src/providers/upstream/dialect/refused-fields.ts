import type { FailureDetail } from './error-shape.js';

/** A field that some servers refuse though the answer is the same without it or under its other name. */
interface DispensableField {
  field: string;
  /** Its other name; without one it is left out. */
  otherName?: string;
}

/** What may change in a request for a server that refuses it by name. Another dialect is one row. */
const DISPENSABLE: readonly DispensableField[] = [
  { field: 'stream_options' },
  { field: 'parallel_tool_calls' },
  { field: 'max_tokens', otherName: 'max_completion_tokens' },
  { field: 'max_completion_tokens', otherName: 'max_tokens' },
];

type Body = Readonly<Record<string, unknown>>;

/** Statuses of a refusal. Servers in Python fail with 500 at an argument that they do not know. */
const STATUSES: readonly number[] = [400, 404, 415, 422, 500, 501];

/** Words of a refusal of the name. Only then another one helps: a server may ignore it, and with it the limit. */
const OF_NAME =
  /un(supported|known|recogni[sz]ed|expected)|not (supported|permitted|allowed|recogni[sz]ed)|(does|do)(n't| not) support|extra|additional|forbidden|deprecated|instead/i;

/** Words of a refusal of the value, which another name does not change. */
const OF_VALUE =
  /too (large|big|high|small|low|many)|at (most|least)|(less|greater|more|fewer|larger|higher|lower|smaller) than|exceed|range|between|maxim|minim|must be|[<>≤≥]/i;

/**
 * The dispensable fields of a request that its refusal names.
 * @param changed that were left out or renamed already
 */
export function refusedFields(
  status: number | undefined,
  { param = '', message = '', type = '', code = '' }: FailureDetail,
  body: object,
  changed: ReadonlySet<string>,
): string[] {
  if (status === undefined || !STATUSES.includes(status)) return [];
  const isOfName = OF_NAME.test(`${type} ${code} ${message}`) && !OF_VALUE.test(message);
  const names = new Set(`${param} ${message}`.match(/\w+/g));
  return DISPENSABLE.filter(({ field, otherName }) => {
    if (!(field in body) || changed.has(field) || !names.has(field)) return false;
    return otherName === undefined || (!changed.has(otherName) && isOfName);
  }).map(({ field }) => field);
}

/** A request without the fields that its server refuses, or with their other names. */
export function withoutRefused(body: object, refused: ReadonlySet<string>): object {
  if (refused.size === 0) return body;
  const changed: Record<string, unknown> = { ...(body as Body) };
  for (const { field, otherName } of DISPENSABLE) {
    if (!refused.has(field) || !(field in body)) continue;
    if (otherName !== undefined) changed[otherName] = changed[field];
    delete changed[field];
  }
  return changed;
}
