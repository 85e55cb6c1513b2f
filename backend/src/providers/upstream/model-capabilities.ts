import {
  type ModelCapabilities,
  type ModelPricing,
  REASONING_EFFORTS,
  type ReasoningEffort,
  withoutTrailingZeros,
} from '@tanya/contract';
import { type Fields, fieldsOf, isFields } from '../../platform/json/fields.js';

/** Entries of a list, and characters of an entry, that are taken over. */
const MAX_ENTRIES = 50;
const MAX_CHARACTERS = 64;

type PriceName = keyof ModelPricing;

/** Names of the prices at OpenRouter. */
export const PRICE_FIELDS: Record<PriceName, string> = {
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
  const architecture = fieldsOf(entry['architecture']);
  const supportedParameters = namesOf(entry['supported_parameters']);
  return {
    pricing: pricingOf(entry['pricing']),
    inputModalities:
      modalitiesIn('input', architecture) ??
      modalitiesIn('input', entry) ??
      inputsByVision(fieldsOf(entry['capabilities'])),
    outputModalities: modalitiesIn('output', architecture) ?? modalitiesIn('output', entry),
    supportedParameters,
    reasoningEfforts: effortsOf(entry['reasoning'], supportedParameters),
  };
}

/** OpenRouter's name within `architecture`, that of xAI and that of GitHub beside the id. */
const modalitiesIn = (side: 'input' | 'output', fields: Fields): string[] | null =>
  namesOf(fields[`${side}_modalities`]) ?? namesOf(fields[`supported_${side}_modalities`]);

/** Mistral says whether a model sees, and so does Anthropic, in an object. */
function inputsByVision(capabilities: Fields): string[] | null {
  const sees = fieldsOf(capabilities['image_input'])['supported'] ?? capabilities['vision'];
  if (typeof sees !== 'boolean') return null;
  return sees ? ['text', 'image'] : ['text'];
}

function effortsOf(reasoning: unknown, parameters: string[] | null): ReasoningEffort[] | null {
  if (isFields(reasoning)) {
    const listed = namesOf(reasoning['supported_efforts']);
    return listed === null ? USUAL_EFFORTS : REASONING_EFFORTS.filter((effort) => listed.includes(effort));
  }
  const lists = listsReasoning(parameters);
  if (lists === null) return null;
  return lists ? USUAL_EFFORTS : [];
}

/** Whether the parameters of a model have its reasoning; null where they are not known. */
export const listsReasoning = (parameters: readonly string[] | null): boolean | null =>
  parameters?.some((name) => name === 'reasoning' || name === 'reasoning_effort') ?? null;

const TOKEN_PRICES: readonly string[] = ['prompt', 'completion', 'cachedPrompt', 'reasoning'] satisfies PriceName[];

/** USD. No token costs as much. */
const DEAREST_TOKEN = 0.001;
/** USD. No thousand tokens cost as much, but a million of nearly every model do. */
const DEAREST_THOUSAND = 0.05;
const MILLION = /million|mtok|1[,_]?000[,_]?000|(^|[^a-z])m(?![a-z])/i;
const THOUSAND = /thousand|ktok|1[,_]?000(?!\d)|(^|[^a-z])k(?![a-z])/i;

/** Negative prices, which OpenRouter gives its routers, unreadable ones and those in another currency than USD are unknown. */
function pricingOf(prices: unknown): ModelPricing | null {
  if (!isFields(prices) || !/^(?:usd|\$|)$/i.test(textOf(prices['currency']).trim())) return null;
  const known = Object.entries(PRICE_FIELDS).flatMap(([name, field]): [string, string][] => {
    const price = decimalOf(prices[field]);
    return price === null ? [] : [[name, price]];
  });
  const ofTokens = known.filter(([name]) => TOKEN_PRICES.includes(name)).map(([, price]) => Number(price));
  const tokens = tokensIn(textOf(prices['unit']), Math.max(0, ...ofTokens));
  if (tokens === null) return null;
  const ofOne = known.map(([name, price]) =>
    tokens > 1 && TOKEN_PRICES.includes(name) ? [name, plain(Number(price) / tokens)] : [name, price],
  );
  return known.length === 0 ? null : (Object.fromEntries(ofOne) as ModelPricing);
}

/** The number of tokens that prices are of; null when that cannot be told. */
function tokensIn(unit: string, dearest: number): number | null {
  if (MILLION.test(unit)) return 1e6;
  if (THOUSAND.test(unit)) return 1e3;
  if (dearest >= DEAREST_THOUSAND) return 1e6;
  return dearest < DEAREST_TOKEN ? 1 : null;
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

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');
