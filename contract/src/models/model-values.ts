/**
 * The kinds of models. Each call of the public API takes one kind. A chat of the page takes `chat` and `image`; an image model
 * answers it with one image.
 */
export const MODEL_KINDS = ['chat', 'image', 'embedding', 'transcription'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

/** The kinds that a chat can be sent to, in the order of the picker. */
export const SENDABLE_KINDS: readonly ModelKind[] = ['chat', 'image'];

/** Reasoning efforts of OpenAI and OpenRouter, from the lowest to the highest. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** The prices of a model: per token, per request, per image or per search. */
export const MODEL_PRICES = [
  'prompt',
  'completion',
  'cachedPrompt',
  'reasoning',
  'request',
  'image',
  'search',
] as const;

/** Prices in USD as decimal strings. An absent price is unknown, not zero. */
export type ModelPricing = { [N in (typeof MODEL_PRICES)[number]]?: string };

/** Who set a price: the catalogue from which the model was imported, or an admin. */
export const PRICE_SOURCES = ['catalogue', 'admin'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/** Parameters of requests that do not give them, under OpenAI's names, with their bounds; only whole numbers where `isWhole`. */
export const MODEL_PARAMETERS = {
  temperature: { min: 0, max: 2, isWhole: false },
  top_p: { min: 0, max: 1, isWhole: false },
  top_k: { min: 0, max: 1_000, isWhole: true },
  min_p: { min: 0, max: 1, isWhole: false },
  presence_penalty: { min: -2, max: 2, isWhole: false },
  frequency_penalty: { min: -2, max: 2, isWhole: false },
  repetition_penalty: { min: 0, max: 2, isWhole: false },
  seed: { min: 0, max: 2_147_483_647, isWhole: true },
  max_tokens: { min: 1, max: 1_000_000, isWhole: true },
} as const;

export type ModelParameters = { [N in keyof typeof MODEL_PARAMETERS]?: number };
