import type { ModelListEntry, ModelPricing, PublicModel } from '@tanya/contract';
import type { ModelDetails } from '../models/models.service.js';

/** Whether a model answers the calls of its kind. */
export const isAvailable = ({ isEnabled, isApiEnabled }: PublicModel): boolean => isEnabled && isApiEnabled;

/** A model as clients of OpenAI and OpenRouter read it. */
export const toModelEntry = (model: PublicModel, details: ModelDetails): ModelListEntry => ({
  id: model.modelId,
  object: 'model',
  created: 0,
  owned_by: model.provider,
  context_length: details.contextLength,
  pricing: details.pricing === null ? null : pricingOf(details.pricing),
  supported_parameters: details.supportedParameters,
});

/** OpenRouter's names of the prices. */
const PRICE_NAMES: Record<keyof ModelPricing, string> = {
  prompt: 'prompt',
  completion: 'completion',
  cachedPrompt: 'input_cache_read',
  reasoning: 'internal_reasoning',
  request: 'request',
  image: 'image',
  search: 'web_search',
};

function pricingOf(pricing: ModelPricing): Record<string, string> {
  const names = Object.entries(PRICE_NAMES) as [keyof ModelPricing, string][];
  return Object.fromEntries(
    names.flatMap(([field, name]) => (pricing[field] === undefined ? [] : [[name, pricing[field]]])),
  );
}
