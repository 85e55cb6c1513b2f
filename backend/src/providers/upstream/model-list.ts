import { LIMITS } from '@tanya/contract';
import { type Fields, fieldsOf, isFields } from '../../platform/json/fields.js';
import { toStorableText } from '../../platform/json/storable-json.js';
import type { ProviderModel } from '../provider.js';
import { ProviderError } from '../provider-error.js';
import { errorIn } from './dialect/error-shape.js';
import { capabilitiesOf } from './model-capabilities.js';
import { failureOfEvent } from './upstream-failure.js';

/** Real lists have hundreds of entries; the rest of a longer list is ignored. */
export const MAX_MODELS = 10_000;
/** Names of an entry's id: OpenAI's; those of Gemini and Cohere in their own lists, of LiteLLM, LM Studio and gateways. */
const IDS = ['id', 'name', 'model', 'model_id', 'model_name', 'key'];
/**
 * Names of the context length at OpenRouter, vLLM, LM Studio, Groq and Anthropic; at Novita, ArliAI, Gemini, llama.cpp, GitHub
 * and its Copilot, some of which have them in objects.
 */
const CONTEXT_FIELDS = [
  ...['context_length', 'max_model_len', 'loaded_context_length', 'max_context_length', 'context_window'],
  ...['max_input_tokens', 'context_size', 'max_context', 'inputTokenLimit', 'contextLength', 'n_ctx'],
  'max_context_window_tokens',
];
const NESTS = ['metadata', 'meta', 'limits', 'capabilities'];
/** Names of the list, of which some stand in one another. */
const LISTS = ['data', 'models', 'result', 'items'];

/** Whether an answer is the empty list of servers in Go, as Ollama before its first model. */
const isEmptyList = (answer: unknown): boolean =>
  isFields(answer) && answer['object'] === 'list' && answer['data'] === null && answer['models'] === undefined;

/** The list in an answer, where it is nested at most twice. */
function listIn(answer: unknown, depth = 0): unknown[] | null {
  if (Array.isArray(answer)) return answer as unknown[];
  if (!isFields(answer) || depth > 2) return null;
  const inner = LISTS.map((name) => answer[name]).find((value) => value !== undefined && value !== null);
  return listIn(inner, depth + 1);
}

/**
 * Reads the usable entries of a `/models` response. Together and GitHub send the list alone, others name it `models`.
 * @throws ProviderError if the response has no list
 */
export function modelsOf(answer: unknown): ProviderModel[] {
  if (isEmptyList(answer)) return [];
  const list = listIn(answer);
  const error = list === null ? errorIn(answer) : null;
  if (error !== null) throw failureOfEvent(error);
  if (list === null) throw new ProviderError('provider_error');
  return list.slice(0, MAX_MODELS).flatMap((entry: unknown) => {
    if (typeof entry === 'string') return modelsOf([{ id: entry }]);
    if (!isFields(entry) || isOff(entry)) return [];
    const id = IDS.map((name) => entry[name]).find((value) => value !== undefined && value !== null);
    // An id that cannot be stored names no model.
    if (typeof id !== 'string' || id === '' || toStorableText(id) !== id) return [];
    return [
      {
        id,
        name: textOf(entry['display_name'] ?? entry['displayName'] ?? entry['name']),
        description: textOf(entry['description']),
        contextLength: contextLengthOf(entry),
        capabilities: capabilitiesOf(entry),
      },
    ];
  });
}

/** States of a model that its server does not call. One that is not loaded, or will end one day, is called. */
const OFF_STATES = /^(off|offline|disabled|inactive|archived|retired|shut_?down|decommissioned)$/i;

/** Whether a server lists a model and says that it does not call it: as of Groq, GitHub's Copilot, Volcengine and gateways. */
function isOff(entry: Fields): boolean {
  const { policy, status, state } = entry;
  const states = [status, state, fieldsOf(policy)['state']];
  return (
    ['active', 'is_active', 'enabled', 'is_enabled'].some((name) => entry[name] === false) ||
    ['disabled', 'is_disabled', 'archived', 'retired'].some((name) => entry[name] === true) ||
    states.some((each) => typeof each === 'string' && OFF_STATES.test(each))
  );
}

/** The last id of a page, after which there are more models, as of Anthropic; null for the last page. */
export function nextPageOf(answer: unknown): string | null {
  if (!isFields(answer) || answer['has_more'] !== true) return null;
  const lastId = answer['last_id'];
  return typeof lastId === 'string' && lastId !== '' ? lastId : null;
}

/** Values outside the product's limits count as unknown, so that every listed model can be imported. */
function contextLengthOf(entry: Fields): number | null {
  const { min, max } = LIMITS.contextLength;
  const nests = NESTS.map((name) => entry[name]).filter(isFields);
  const places = [entry, ...nests, ...nests.map(({ limits }) => limits).filter(isFields)];
  // Some gateways write numbers as texts.
  const counts = places.flatMap((place) => CONTEXT_FIELDS.map((field) => Number(place[field] ?? NaN)));
  return counts.find((count) => Number.isInteger(count) && count >= min && count <= max) ?? null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? toStorableText(value) : null;
}
