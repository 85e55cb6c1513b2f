import { isFields } from '../../../platform/json/fields.js';
import { errorIn } from '../dialect/error-shape.js';
import type { Choice } from './choice-decoder.js';

/** Fields of a chunk that are read. Each may have any type: the upstream is not trusted. */
export interface Chunk {
  choices?: (Choice | null)[];
  usage?: unknown;
  model?: unknown;
  error?: unknown;
  x_groq?: unknown;
  /** All of it, in an envelope of a gateway. */
  data?: unknown;
  result?: unknown;
}

/** Whether a value is a chunk, which some gateways put into an envelope with a code of their own. */
const hasChoices = (value: unknown): boolean => isFields(value) && Array.isArray(value['choices']);

/** Some servers send one choice without a list around it, those in PHP a list as an object with its numbers. */
export function chunkIn(value: unknown): Chunk | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value) && value.length === 1 && hasChoices(value[0])) return chunkIn(value[0]);
  const { choices, data, result } = value as Chunk;
  const wrapped = choices === undefined ? [data, result].find(hasChoices) : undefined;
  if (wrapped !== undefined && errorIn(value) === null) return chunkIn(wrapped);
  if (typeof choices !== 'object' || choices === null || Array.isArray(choices)) return value;
  const isOne = ['delta', 'message', 'text', 'finish_reason', 'error'].some((name) => name in choices);
  return { ...value, choices: isOne ? [choices] : Object.values(choices) };
}
