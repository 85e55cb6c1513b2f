import { LIMITS } from '@tanya/contract';
import { toStorableText } from '../../platform/json/storable-json.js';
import type { ProviderModel } from '../provider.js';
import { ProviderError } from '../provider-error.js';
import { capabilitiesOf } from './model-capabilities.js';

/** Real lists have hundreds of entries; the rest of a longer list is ignored. */
export const MAX_MODELS = 10_000;
/** Names of the context length at OpenRouter, vLLM, LM Studio, Groq and Anthropic. */
const CONTEXT_FIELDS = ['context_length', 'max_model_len', 'max_context_length', 'context_window', 'max_input_tokens'];

/** Whether an answer is the empty list of servers in Go, as Ollama before its first model. */
const isEmptyList = (answer: unknown): boolean =>
  isRecord(answer) && answer['object'] === 'list' && answer['data'] === null && answer['models'] === undefined;

/**
 * Reads the usable entries of a `/models` response. Together and GitHub send the list alone, others name it `models`.
 * @throws ProviderError if the response has no list
 */
export function modelsOf(answer: unknown): ProviderModel[] {
  if (isEmptyList(answer)) return [];
  const list = isRecord(answer) && !Array.isArray(answer) ? (answer['data'] ?? answer['models']) : answer;
  if (!Array.isArray(list)) throw new ProviderError('provider_error');
  return list.slice(0, MAX_MODELS).flatMap((entry: unknown) => {
    if (typeof entry === 'string') return modelsOf([{ id: entry }]);
    if (!isRecord(entry)) return [];
    // Gemini and Cohere know a model by its name, in their own lists.
    const id = entry['id'] ?? entry['name'];
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

/** The last id of a page, after which there are more models, as of Anthropic; null for the last page. */
export function nextPageOf(answer: unknown): string | null {
  if (!isRecord(answer) || answer['has_more'] !== true) return null;
  const lastId = answer['last_id'];
  return typeof lastId === 'string' && lastId !== '' ? lastId : null;
}

/** Values outside the product's limits count as unknown, so that every listed model can be imported. */
function contextLengthOf(entry: Record<string, unknown>): number | null {
  const { min, max } = LIMITS.contextLength;
  const isUsable = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return CONTEXT_FIELDS.map((field) => entry[field]).find(isUsable) ?? null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? toStorableText(value) : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
