import type { ModelListEntry, ModelPricing, PublicModel } from '@tanya/contract';
import type { ModelDetails } from '../models/models.service.js';
import { PRICE_FIELDS } from '../providers/upstream/model-capabilities.js';

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

/** What a model has for Anthropic's clients besides. The time is that of models without a known one in Anthropic's list. */
export const anthropicFields = ({ name }: PublicModel): object => ({
  type: 'model',
  display_name: name,
  created_at: '1970-01-01T00:00:00Z',
});

/** What a list has for Anthropic's clients besides: it is the only page. */
export const anthropicPage = (models: readonly PublicModel[]): object => ({
  has_more: false,
  first_id: models[0]?.modelId ?? null,
  last_id: models.at(-1)?.modelId ?? null,
});

function pricingOf(pricing: ModelPricing): Record<string, string> {
  const names = Object.entries(PRICE_FIELDS) as [keyof ModelPricing, string][];
  return Object.fromEntries(
    names.flatMap(([field, name]) => (pricing[field] === undefined ? [] : [[name, pricing[field]]])),
  );
}
