/** A model as shown in the picker and on the API page. */
export interface PublicModel {
  modelId: string;
  name: string;
  provider: string;
  description: string | null;
  isEnabled: boolean;
  isApiEnabled: boolean;
  /** Whether the model is reserved for premium members and admins. */
  isPremium: boolean;
}

/** A model as shown to admins. */
export interface AdminModel extends PublicModel {
  id: number;
  isDefault: boolean;
  /** Context length in tokens; null when unknown. */
  contextLength: number | null;
  createdAt: string;
  updatedAt: string;
}

export interface DefaultModel {
  modelId: string;
}

export interface CreateModelRequest {
  modelId: string;
  name?: string;
  provider?: string;
  description?: string;
  isEnabled?: boolean;
  isPremium?: boolean;
  contextLength?: number | null;
}

export interface UpdateModelRequest {
  name?: string;
  provider?: string;
  description?: string | null;
  isPremium?: boolean;
  contextLength?: number | null;
}

/** One entry of the OpenRouter catalogue. */
export interface CatalogueItem {
  id: string;
  name: string;
  description?: string;
  context_length: number;
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
  isEnabled: true,
  isApiEnabled: true,
  isPremium: false,
};
