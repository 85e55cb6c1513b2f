import type { AccessMode, AccessRule } from './admin/access.js';
/** Context length in tokens of a model whose catalogue entry has none. */
export const DEFAULT_CONTEXT_LENGTH = 8192;

export const DEFAULT_MODEL_ID = 'openai/gpt-4o-mini';

/** Image models. Requests for them go to the OpenAI connection. */
export const IMAGE_MODEL_IDS: readonly string[] = ['gpt-image-1', 'openai/gpt-image-1'];

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

/**
 * Prices in USD as decimal strings: per token, per request, per image or per search. An absent price is unknown, not
 * zero.
 */
export interface ModelPricing {
  prompt?: string;
  completion?: string;
  cachedPrompt?: string;
  reasoning?: string;
  request?: string;
  image?: string;
  search?: string;
}

/** Who set a price: the catalogue from which the model was imported, or an admin. */
export const PRICE_SOURCES = ['catalogue', 'admin'] as const;
export type PriceSource = (typeof PRICE_SOURCES)[number];

/** Prices of a model from a time on. */
export interface ModelPriceChange {
  validFrom: string;
  /** null: unknown, as for prices that nodes of earlier versions set. */
  source: PriceSource | null;
  /** The known prices; empty when none is known. */
  pricing: Omit<ModelPricing, 'reasoning'>;
}

/** Capabilities that a provider's catalogue reports about a model. null: not reported. */
export interface ModelCapabilities {
  pricing: ModelPricing | null;
  inputModalities: string[] | null;
  outputModalities: string[] | null;
  /** Request parameters that the model supports, under OpenAI's and OpenRouter's names. */
  supportedParameters: string[] | null;
  /** The efforts to offer; empty for a model without reasoning. */
  reasoningEfforts: ReasoningEffort[] | null;
}

/** A model as shown in the picker and on the API page. */
export interface PublicModel {
  modelId: string;
  name: string;
  provider: string;
  description: string | null;
  kind: ModelKind;
  isEnabled: boolean;
  isApiEnabled: boolean;
  /** Whether the picker offers it, if it is of a kind for chats. */
  isInPicker: boolean;
  access: AccessMode;
  /** Whether the access is not `everyone`, for older clients. */
  isPremium: boolean;
  /** Whether the model takes images; null when unknown. Nodes of earlier versions omit this field and the next ones. */
  vision?: boolean | null;
  /** Whether the model generates images instead of text. */
  isImage?: boolean;
  /** Price of one answer in messages. */
  messageCost?: number;
  /** Efforts that a send may ask for, from the lowest to the highest; without any it may ask for none. */
  reasoningEfforts?: ReasoningEffort[] | null;
  /** Whether the model can call tools; null when unknown. */
  supportsTools?: boolean | null;
  /** Context length in tokens; null when unknown. */
  contextLength?: number | null;
}

/** Whether a listed model is for premium members: a model for groups is listed for those who may use it. */
export const isForPremium = ({ access, isPremium }: Pick<PublicModel, 'access' | 'isPremium'>): boolean =>
  isPremium && access !== 'groups';

/** Parameters of requests that do not give them, under OpenAI's names. */
export interface ModelParameters {
  temperature?: number;
  top_p?: number;
  top_k?: number;
  min_p?: number;
  presence_penalty?: number;
  frequency_penalty?: number;
  repetition_penalty?: number;
  seed?: number;
  max_tokens?: number;
}

/** Bounds of the parameters; whole numbers alone where `isWhole`. */
export const MODEL_PARAMETERS: Readonly<
  Record<keyof ModelParameters, { min: number; max: number; isWhole?: boolean }>
> = {
  temperature: { min: 0, max: 2 },
  top_p: { min: 0, max: 1 },
  top_k: { min: 0, max: 1_000, isWhole: true },
  min_p: { min: 0, max: 1 },
  presence_penalty: { min: -2, max: 2 },
  frequency_penalty: { min: -2, max: 2 },
  repetition_penalty: { min: 0, max: 2 },
  seed: { min: 0, max: 2_147_483_647, isWhole: true },
  max_tokens: { min: 1, max: 1_000_000, isWhole: true },
};

/** What an admin sets beyond the catalogue. */
export interface ModelSetup {
  /** The id that the provider knows; null: the public one. */
  upstreamId: string | null;
  /** Added to the system prompt of the settings, except for programs; null: none. */
  systemPrompt: string | null;
  /** null: none. */
  parameters: ModelParameters | null;
  /** The public ids of the models that answer instead while this one cannot, in their order; not those of these. */
  fallbacks: string[];
}

/** A model as shown to admins. `name` and `provider` are as stored. */
export interface AdminModel extends Omit<PublicModel, 'reasoningEfforts'>, ModelCapabilities, AccessRule, ModelSetup {
  id: number;
  /** The name as members see it, without the provider's prefix. */
  displayName: string;
  /** The provider in the spelling under which its models are grouped. */
  displayProvider: string;
  /** The connection that answers; null chooses OpenRouter, else OpenAI, else a local server, else the demo. */
  connectionId: number | null;
  isDefault: boolean;
  /** Whether the kind was guessed from the id; false once an admin has set it. */
  isKindGuessed: boolean;
  /** An admin's choice whether tools are offered; null: as the catalogue reports. Absent from nodes of earlier versions. */
  toolSupport?: boolean | null;
  contextLength: number | null;
  createdAt: string;
  updatedAt: string;
}

export interface DefaultModel {
  modelId: string;
}

export interface UpdateModelRequest extends Partial<ModelCapabilities>, Partial<AccessRule>, Partial<ModelSetup> {
  name?: string;
  provider?: string;
  description?: string | null;
  /** Omitted for a new model, it follows from the modalities, else from the id. */
  kind?: ModelKind;
  isInPicker?: boolean;
  /**
   * For older clients: the present value changes nothing, another one sets `premium` or `everyone`; 409 on a `groups` model. Beside
   * `access` it is ignored.
   */
  isPremium?: boolean;
  contextLength?: number | null;
  connectionId?: number | null;
  /** null: as the catalogue reports. */
  supportsTools?: boolean | null;
}

export interface CreateModelRequest extends UpdateModelRequest {
  modelId: string;
  isEnabled?: boolean;
  isApiEnabled?: boolean;
}

/** `POST /api/admin/models/import`: adds models that a connection lists, as its list describes them. */
export interface ImportModelsRequest extends Partial<AccessRule> {
  /** null: the list of OpenRouter, for models without a connection of their own. */
  connectionId: number | null;
  modelIds: string[];
  /** Omitted: true. */
  isEnabled?: boolean;
}

export const IMPORT_REASONS = ['exists', 'not_listed', 'unusable_id'] as const;

export interface ImportModelsResult {
  /** Number of added models. */
  imported: number;
  /** Number of the others. */
  skipped: number;
  /** Why, for the first `LIMITS.skippedModels` of the others. */
  reasons: { modelId: string; reason: (typeof IMPORT_REASONS)[number] }[];
}

/** `POST /api/admin/models/batch`: one change of several models. */
export interface ModelBatchRequest {
  ids: number[];
  /** `pricing` takes the place of all prices of a model; null makes them unknown. */
  changes: Partial<AccessRule> & {
    isEnabled?: boolean;
    isApiEnabled?: boolean;
    kind?: ModelKind;
    pricing?: ModelPricing | null;
  };
}

export interface ModelBatchResult {
  /** The models that exist and now are as asked. */
  ids: number[];
  /** The others: unknown ones, and the default, which stays enabled and of a kind that the picker offers. */
  skipped: { id: number; code: 'not_found' | 'conflict' }[];
}

/** Why a model gives no answer, as far as its connection shows it. */
export interface ModelProblem {
  id: number;
  /**
   * `connection_off`: disabled or not configured; `not_listed`: the connection lists other models; `demo`: no connection
   * answers it, although others are set up.
   */
  problem: 'connection_off' | 'not_listed' | 'demo';
}

/** What still refers to a model. */
export interface ModelUses {
  /** Conversations that go on with it, counted up to `LIMITS.modelUses`. */
  threads: number;
}

/** A model without a row that programs called in the last 90 days. Such calls are refused. */
export interface UnlistedModel {
  modelId: string;
  /** As guessed from the id. */
  kind: ModelKind;
  /** Messages that its calls were charged in that time. */
  messages: number;
  /** The last UTC day with a charged call, `2026-01-31`. */
  lastUsedOn: string;
}

/** One entry of a connection's catalogue. The capabilities can be sent with `POST /api/admin/models` as they are. */
export interface CatalogueItem extends Partial<ModelCapabilities> {
  id: string;
  name: string;
  description?: string;
  /** Tokens; null where the server does not say. */
  context_length: number | null;
}

export interface Catalogue {
  data: CatalogueItem[];
}

/** Shown while the server offers no model. */
export const FALLBACK_MODEL: PublicModel = {
  modelId: 'openai/gpt-4o-mini',
  name: 'GPT-4o Mini',
  provider: 'OpenAI',
  description: 'an efficient and capable OpenAI model',
  kind: 'chat',
  isEnabled: true,
  isApiEnabled: true,
  isInPicker: true,
  access: 'everyone',
  isPremium: false,
};
