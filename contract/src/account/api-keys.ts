/** `api`: for `/api/v1`. `admin`: for `/api/admin`, while its maker is an active admin. */
export const KEY_SCOPES = ['api', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Limits of a key that an admin set: its owner can only lower them. */
export interface KeyBounds {
  expiresAt?: string;
  messageCap?: number;
  budgetUsd?: string;
  models?: string[];
}

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
  /** Charged costs of the key, as a decimal string; null without a budget. */
  spentUsd: string | null;
  /** Ids of the models that the key may use; null allows all. */
  models: string[] | null;
  scope: KeyScope;
  /** Calls of `/api/v1` a minute in place of the plan's; -1 is unlimited, null keeps the plan's. Admins set it. */
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  /** The limits that bind the owner. */
  adminLimits: KeyBounds;
}

/** A key as admins see it: without any part of its secret. */
export interface AdminApiKey extends Omit<ApiKey, 'hint'> {
  userId: number;
  username: string;
  isService: boolean;
  /** Whether it is the one that its owner can read again. */
  isReadable: boolean;
}

/** Omitted fields keep their value; null removes a limit, which the owner may then set. */
export interface LimitKeyRequest extends Omit<UpdateApiKeyRequest, 'name'> {
  requestsPerMinute?: number | null;
  tokensPerMinute?: number | null;
}

/** `POST /api/admin/users/{id}/keys`: a key of a service account. */
export interface CreateServiceKeyRequest extends LimitKeyRequest {
  name: string;
}

export interface CreatedApiKey extends ApiKey {
  /** The whole key. The server stores a hash and cannot show it again. */
  key: string;
}

/** What the owner decides about a key. */
export interface KeyRequest {
  name: string;
  /** ISO 8601, in the future. */
  expiresAt?: string | null;
  messageCap?: number | null;
  /** USD, as a decimal string or a number. */
  budgetUsd?: string | number | null;
  models?: string[] | null;
}

export interface CreateApiKeyRequest extends KeyRequest {
  /** `api` by default. Only an admin makes a key of scope `admin`, with the `password` or a recent sign-in. It expires within a year. */
  scope?: KeyScope;
  password?: string;
}

/** Omitted fields keep their value; null removes a restriction. */
export type UpdateApiKeyRequest = Partial<KeyRequest>;
