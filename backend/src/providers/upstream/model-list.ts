import { LIMITS } from '@tanya/contract';
import type { ProviderModel } from '../provider.js';
import { ProviderError } from '../provider-error.js';

/** Catalogues have hundreds of entries; one of a hundred thousand is a mistake. */
const MAX_MODELS = 10_000;
/** OpenRouter's, vLLM's, LM Studio's and Groq's words for the same thing. */
const CONTEXT_FIELDS = ['context_length', 'max_model_len', 'max_context_length', 'context_window'];

/** The usable entries of a `/models` answer, whatever else is in it. */
export function modelsOf(answer: unknown): ProviderModel[] {
  const list = isRecord(answer) ? answer['data'] : null;
  if (!Array.isArray(list)) throw new ProviderError('provider_error');
  return list.slice(0, MAX_MODELS).flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [];
    const id = textOf(entry['id']);
    if (id === null) return [];
    return [
      {
        id,
        name: textOf(entry['name']),
        description: textOf(entry['description']),
        contextLength: contextLengthOf(entry),
      },
    ];
  });
}

/** What no model can be listed with counts as unknown, so that whatever a catalogue offers can be imported. */
function contextLengthOf(entry: Record<string, unknown>): number | null {
  const { min, max } = LIMITS.contextLength;
  const isUsable = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return CONTEXT_FIELDS.map((field) => entry[field]).find(isUsable) ?? null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
