import type { AccessMode, AccessRule } from '../admin/access.js';
import type { ModelChanges, ModelValues, PublicModelField } from './model-fields.js';
import type { ModelKind, ModelPricing, PriceSource, ReasoningEffort } from './model-values.js';

/** Context length in tokens of a model whose catalogue entry has none. */
export const DEFAULT_CONTEXT_LENGTH = 8192;

export const DEFAULT_MODEL_ID = 'openai/gpt-4o-mini';

/** Image models. Requests for them go to the OpenAI connection. */
export const IMAGE_MODEL_IDS: readonly string[] = ['gpt-image-1', 'openai/gpt-image-1'];

/** Prices of a model from a time on. */
export interface ModelPriceChange {
  validFrom: string;
  /** null: unknown, as for prices that earlier versions stored. */
  source: PriceSource | null;
  /** The known prices; empty when none is known. */
  pricing: Omit<ModelPricing, 'reasoning'>;
}

/** Capabilities that a provider's catalogue reports about a model. null: not reported. */
export type ModelCapabilities = Pick<
  ModelValues,
  'pricing' | 'inputModalities' | 'outputModalities' | 'supportedParameters' | 'reasoningEfforts'
>;

/** The public fields as they are stored. Only `FALLBACK_MODEL` has no context length. */
type PublicValues = Omit<Pick<ModelValues, PublicModelField>, 'contextLength'> &
  Partial<Pick<ModelValues, 'contextLength'>>;

/** A model as shown in the picker and on the API page. */
export interface PublicModel extends PublicValues {
  modelId: string;
  access: AccessMode;
  /** Whether the access is not `everyone`, for older clients. */
  isPremium: boolean;
  /** Whether the model takes images; null when unknown. `FALLBACK_MODEL` omits this field and the next ones. */
  vision?: boolean | null;
  /** Whether the model generates images instead of text. */
  isImage?: boolean;
  /** Price of one answer in messages. */
  messageCost?: number;
  /** Efforts that a send may ask for, from the lowest to the highest; without any it may ask for none. */
  reasoningEfforts?: ReasoningEffort[] | null;
  /** Whether the model can call tools; null when unknown. */
  supportsTools?: boolean | null;
}

/** Whether a listed model is for premium members: a model for groups is listed for those who may use it. */
export const isForPremium = ({ access, isPremium }: Pick<PublicModel, 'access' | 'isPremium'>): boolean =>
  isPremium && access !== 'groups';

/** A model as shown to admins. `name` and `provider` are as stored. */
export interface AdminModel
  extends Omit<PublicModel, 'reasoningEfforts' | 'contextLength'>, AccessRule, Omit<ModelValues, 'supportsTools'> {
  id: number;
  /** The name as members see it, without the provider's prefix. */
  displayName: string;
  /** The provider in the spelling under which its models are grouped. */
  displayProvider: string;
  isDefault: boolean;
  /** Whether the kind was guessed from the id; false once an admin has set it. */
  isKindGuessed: boolean;
  /** The stored field `supportsTools`. */
  toolSupport?: boolean | null;
  createdAt: string;
  updatedAt: string;
}

export interface DefaultModel {
  modelId: string;
}

export interface UpdateModelRequest extends ModelChanges, Partial<AccessRule> {
  /**
   * For older clients: the present value changes nothing, another one sets `premium` or `everyone`; 409 on a `groups` model. Beside
   * `access` it is ignored.
   */
  isPremium?: boolean;
}

export interface CreateModelRequest extends UpdateModelRequest, Partial<ModelValues> {
  modelId: string;
}

/** `POST /api/admin/models/import`: adds models that a connection lists, as its list describes them. */
export interface ImportModelsRequest extends Partial<AccessRule> {
  /** null: the list of OpenRouter, for models without a connection of their own. */
  connectionId: number | null;
  modelIds: string[];
  /** Omitted: true. */
  isEnabled?: boolean;
}

/** `fallback_kind`: other models name it as a fallback, and it is no model for chats. */
export const IMPORT_REASONS = ['exists', 'not_listed', 'unusable_id', 'fallback_kind'] as const;

export interface ImportModelsResult {
  /** Number of added models. */
  imported: number;
  /** Number of the others. */
  skipped: number;
  /** Why, for the first `LIMITS.skippedModels` of the others. */
  reasons: { modelId: string; reason: (typeof IMPORT_REASONS)[number] }[];
}

/** The fields that several models get at once. */
export const MODEL_BATCH_FIELDS = ['isEnabled', 'isApiEnabled', 'kind', 'pricing'] as const;

/** `POST /api/admin/models/batch`: one change of several models. */
export interface ModelBatchRequest {
  ids: number[];
  /** `pricing` takes the place of all prices of a model; null makes them unknown. */
  changes: Partial<AccessRule> & Partial<Pick<ModelValues, (typeof MODEL_BATCH_FIELDS)[number]>>;
}

export interface ModelBatchResult {
  /** The models that exist and now are as asked. */
  ids: number[];
  /**
   * The others: `not_found` for unknown ones, `conflict` for the default, which stays enabled and of a kind that the picker offers,
   * `invalid` for one that has fallbacks or is one, and would get a kind that has none.
   */
  skipped: { id: number; code: 'not_found' | 'conflict' | 'invalid' }[];
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
