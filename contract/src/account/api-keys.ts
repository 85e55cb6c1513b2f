/** One of the API keys of an account. The whole key is never returned again after its creation. */
export interface ApiKey {
  id: number;
  name: string;
  /** The last four characters of the key. */
  hint: string;
  createdAt: string;
  /** Accurate to a minute; null before the first use. */
  lastUsedAt: string | null;
  /** ISO 8601; null never expires. */
  expiresAt: string | null;
  /** Messages that the key may spend in all; null is unlimited. */
  messageCap: number | null;
  /** Messages charged to the key so far. */
  messagesUsed: number;
  /** USD as a decimal string; null is unlimited. */
  budgetUsd: string | null;
  /** Charged costs of the key, as a decimal string; null without a budget. Absent from nodes of earlier versions. */
  spentUsd?: string | null;
  /** Ids of the models that the key may use; null allows all. */
  models: string[] | null;
}

/** The response to the creation of a key. */
export interface CreatedApiKey extends ApiKey {
  /** The whole key. The server stores a hash and cannot show it again. */
  key: string;
}

export interface CreateApiKeyRequest {
  name: string;
  /** ISO 8601, in the future. */
  expiresAt?: string | null;
  messageCap?: number | null;
  /** USD, as a decimal string or a number. */
  budgetUsd?: string | number | null;
  models?: string[] | null;
}

/** Omitted fields keep their value; null removes a restriction. */
export type UpdateApiKeyRequest = Partial<CreateApiKeyRequest>;
