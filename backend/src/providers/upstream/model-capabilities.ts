import {
  type ModelCapabilities,
  type ModelPricing,
  REASONING_EFFORTS,
  type ReasoningEffort,
  withoutTrailingZeros,
} from '@tanya/contract';
import { type Fields, isFields } from '../../platform/json/fields.js';

/** Entries of a list, and characters of an entry, that are taken over. */
const MAX_ENTRIES = 50;
const MAX_CHARACTERS = 64;

/** Names of the prices at OpenRouter. */
export const PRICE_FIELDS: Record<keyof ModelPricing, string> = {
  prompt: 'prompt',
  completion: 'completion',
  cachedPrompt: 'input_cache_read',
  reasoning: 'internal_reasoning',
  request: 'request',
  image: 'image',
  search: 'web_search',
};

/** Offered where a server reports reasoning without its efforts: the efforts that every reasoning model accepts. */
const USUAL_EFFORTS: ReasoningEffort[] = ['low', 'medium', 'high'];

/** Reads what an entry of a `/models` response reports about its model. Fields may have any type. */
export function capabilitiesOf(entry: Fields): ModelCapabilities {
  const architecture = recordOf(entry['architecture']) ?? {};
  const supportedParameters = namesOf(entry['supported_parameters']);
  return {
    pricing: pricingOf(entry['pricing']),
    inputModalities:
      modalitiesIn('input', architecture) ??
      modalitiesIn('input', entry) ??
      inputsByVision(recordOf(entry['capabilities'])),
    outputModalities: modalitiesIn('output', architecture) ?? modalitiesIn('output', entry),
    supportedParameters,
    reasoningEfforts: effortsOf(entry['reasoning'], supportedParameters),
  };
}

/** OpenRouter's name within `architecture`, that of xAI and that of GitHub beside the id. */
const modalitiesIn = (side: 'input' | 'output', fields: Fields): string[] | null =>
  namesOf(fields[`${side}_modalities`]) ?? namesOf(fields[`supported_${side}_modalities`]);

/** Mistral says whether a model sees, and so does Anthropic, in an object. */
function inputsByVision(capabilities: Fields | null): string[] | null {
  const sees = recordOf(capabilities?.['image_input'])?.['supported'] ?? capabilities?.['vision'];
  if (typeof sees !== 'boolean') return null;
  return sees ? ['text', 'image'] : ['text'];
}

function effortsOf(reasoning: unknown, parameters: string[] | null): ReasoningEffort[] | null {
  const declared = recordOf(reasoning);
  if (declared !== null) {
    const listed = namesOf(declared['supported_efforts']);
    return listed === null ? USUAL_EFFORTS : REASONING_EFFORTS.filter((effort) => listed.includes(effort));
  }
  const lists = listsReasoning(parameters);
  if (lists === null) return null;
  return lists ? USUAL_EFFORTS : [];
}

/** Whether the parameters of a model have its reasoning; null where they are not known. */
export const listsReasoning = (parameters: readonly string[] | null): boolean | null =>
  parameters?.some((name) => name === 'reasoning' || name === 'reasoning_effort') ?? null;

/** Negative prices, which OpenRouter gives its routers, and unreadable ones are unknown. */
function pricingOf(value: unknown): ModelPricing | null {
  const prices = recordOf(value);
  if (prices === null) return null;
  const known = Object.entries(PRICE_FIELDS).flatMap(([name, field]) => {
    const price = decimalOf(prices[field]);
    return price === null ? [] : [[name, price]];
  });
  return known.length === 0 ? null : (Object.fromEntries(known) as ModelPricing);
}

/** A price as a plain decimal with at most 12 digits after the point; null when it is negative or unreadable. */
export function decimalOf(value: unknown): string | null {
  const text = typeof value === 'number' ? plain(value) : value;
  if (typeof text !== 'string') return null;
  if (/^\d{1,8}(\.\d{1,12})?$/.test(text)) return text;
  // `1e-7` and prices with more digits than are stored.
  return /^\d{1,8}(\.\d{1,30})?(e-?\d{1,2})?$/i.test(text) ? plain(Number(text)) : null;
}

const plain = (value: number): string | null =>
  Number.isFinite(value) && value >= 0 && value < 1e8 ? withoutTrailingZeros(value.toFixed(12)) : null;

function namesOf(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const names = value.filter((name): name is string => typeof name === 'string' && /^[\x21-\x7e]+$/.test(name));
  return [...new Set(names.filter(({ length }) => length <= MAX_CHARACTERS))].slice(0, MAX_ENTRIES);
}

const recordOf = (value: unknown): Fields | null => (isFields(value) ? value : null);
