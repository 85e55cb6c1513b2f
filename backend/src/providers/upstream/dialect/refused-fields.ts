import type { Adaptation, Body, Refusal } from './adaptation.js';

/** Words of a refusal of the value, which another name does not change. */
const OF_VALUE =
  /too (large|big|high|small|low|many)|at (most|least)|(less|greater|more|fewer) than|exceed|out of range/i;

/** The words of a refusal, which name fields. */
const wordsOf = ({ param = '', message = '' }: Refusal): Set<string> => new Set(`${param} ${message}`.match(/\w+/g));

const without = (body: Body, field: string): Record<string, unknown> => {
  const { [field]: _, ...others } = body;
  return others;
};

/** A field without which the answer is the same. */
const leftOut = (field: string): Adaptation => ({
  name: field,
  isNamed: (refusal, body) => field in body && wordsOf(refusal).has(field),
  apply: (body) => without(body, field),
});

/** A field that some servers know under another name. */
const renamed = (field: string, otherName: string): Adaptation => ({
  name: field,
  isNamed: (refusal, body, changed) =>
    field in body && !changed.has(otherName) && wordsOf(refusal).has(field) && !OF_VALUE.test(refusal.message ?? ''),
  apply: (body) => (field in body ? { ...without(body, field), [otherName]: body[field] } : body),
});

export const FIELD_ADAPTATIONS: readonly Adaptation[] = [
  leftOut('stream_options'),
  leftOut('parallel_tool_calls'),
  renamed('max_tokens', 'max_completion_tokens'),
  renamed('max_completion_tokens', 'max_tokens'),
];
