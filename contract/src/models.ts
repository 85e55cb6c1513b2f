/** A model as the picker and the API page see it. */
export interface PublicModel {
  modelId: string;
  name: string;
  provider: string;
  description: string | null;
  isEnabled: boolean;
  isApiEnabled: boolean;
  /** Only premium members may use it. */
  isPremium: boolean;
}

/** A model as admins see it. */
export interface AdminModel extends PublicModel {
  id: number;
  isDefault: boolean;
  /** Tokens; null when unknown. */
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

/** One entry of OpenRouter's catalogue. */
export interface CatalogueItem {
  id: string;
  name: string;
  description?: string;
  context_length: number;
}

export interface Catalogue {
  data: CatalogueItem[];
}

/** Shown when the server offers no model at all. */
export const FALLBACK_MODEL: PublicModel = {
  modelId: 'openai/gpt-4o-mini',
  name: 'GPT-4o Mini',
  provider: 'OpenAI',
  description: 'an efficient and capable OpenAI model',
  isEnabled: true,
  isApiEnabled: true,
  isPremium: false,
};
