import type { ErrorCode } from '../errors.js';

/**
 * Kinds of connections: each has its own wire format and defaults. `openrouter` and `openai` have a public address,
 * which an empty base URL stands for. `compatible` is any server with OpenAI's API.
 */
export const CONNECTION_KINDS = ['openrouter', 'openai', 'compatible'] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

export interface ConnectionFailure {
  /** A `provider_…` or `timeout_…` code. */
  code: ErrorCode;
  /** The cause, for admins. Holds no key and no text of the upstream. */
  message: string;
  at: string;
}

/**
 * How requests for one model are changed, because the server refused them as they were: the field that is left out or
 * renamed, `system` (the system message goes into the first one of the user), `content` (messages with calls alone get an
 * empty text), `blank` (texts without a letter get one), `alternation` (questions and answers take turns), `names` (of who
 * wrote a message are left out), `reasoning_content` (answers without reasoning get a
 * blank), `schemas` (of tools, in plain words), `call_ids` (nine letters and digits), `signatures` (calls are marked as
 * those of another model), `reasoning_effort` (none beside tools) or `tools` (those of earlier calls are named). Later
 * versions add names.
 */
export interface ConnectionAdaptation {
  /** Id of the model in the provider's own form. */
  model: string;
  changes: string[];
  since: string;
}

/** Origin of a key or address. `settings`: stored by an admin; `default`: the public address of the kind. */
export type AccessSource = 'settings' | 'environment' | 'default' | 'none';

/** A connection as shown to admins, in the order of `position`. */
export interface ProviderConnection {
  id: number;
  kind: ConnectionKind;
  name: string;
  /** '' for the public address of the kind. */
  baseUrl: string;
  /** The stored key, masked except for its last four characters; '' without one. A key of the environment is not shown. */
  apiKey: string;
  /** Whether a key is in use, stored or from the environment. */
  hasApiKey: boolean;
  /** The stored key cannot be read, because APP_SECRET has changed. It has to be entered again. */
  isKeyUnreadable: boolean;
  /** Origin of the key in use; never `default`. */
  keySource: AccessSource;
  /** The address in use, from `baseUrlSource`; null where there is none. */
  address: string | null;
  /** Origin of the address in use; `none` where the kind has no public address. */
  baseUrlSource: AccessSource;
  enabled: boolean;
  /**
   * Whether this is one of the two fixed rows, whose key and base URL are also the fields `openrouter…` or `openai…` of
   * the settings. Such a row cannot be deleted, and its kind is fixed.
   */
  isBuiltIn: boolean;
  /** Whether a key or a base URL is set, so that models can use the connection. */
  isConfigured: boolean;
  position: number;
  lastError: ConnectionFailure | null;
  lastSuccess: string | null;
  /** What is remembered until an admin lets it be forgotten, or the base URL changes. */
  adaptations: ConnectionAdaptation[];
  /** Number of models that name this connection. While there are any it cannot be deleted. */
  modelCount: number;
  /** Whether it answers chats of all models that name no connection. */
  answersUnbound: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface CreateConnectionRequest {
  kind: ConnectionKind;
  name: string;
  /** Required for `compatible`. */
  baseUrl?: string;
  /** Optional: a base URL alone is enough for servers without keys. */
  apiKey?: string;
  enabled?: boolean;
}

/**
 * A partial update: omitted fields keep their value. `apiKey` works as in the settings: the mask keeps the key, ''
 * removes it. A new base URL needs the key again while one is stored.
 */
export interface UpdateConnectionRequest extends Partial<Omit<CreateConnectionRequest, 'kind'>> {
  position?: number;
}

/**
 * A test of an address and key before they are saved, or of a saved connection. With `id`, omitted fields come from the
 * saved row. The sealed key is only sent to the saved base URL: another one needs `apiKey`.
 */
export interface TestConnectionRequest {
  id?: number;
  /** Required without `id`. */
  kind?: ConnectionKind;
  /** Required without `id` for `compatible`. */
  baseUrl?: string;
  apiKey?: string;
}

/** Causes of a failure, with the English sentence for admins. Programs switch on the code. */
export const CONNECTION_FAULTS = {
  /** Status 401 or 403. */
  unauthorized: 'The provider refused the API key.',
  no_credit: 'The provider account has no credit left.',
  rate_limited: 'The provider answered that there are too many requests.',
  not_found: 'The provider answered with status 404. Please check the path of the base URL, which often ends in /v1.',
  unknown_model: 'The provider does not offer this model to this connection. Please check the id of the model there.',
  /** Another status of 400 and above. */
  http_error: 'The provider answered with an error.',
  redirect: 'The provider answered with a redirect, which is not followed. Please enter the final address.',
  html: 'The address answered with a web page instead of an API. Please check the path of the base URL.',
  invalid_answer: 'The provider sent an answer that cannot be read.',
  encoding: 'The provider compressed its answer in a way that cannot be read.',
  too_large: 'The provider sent an answer that is too large.',
  timeout: 'The provider did not answer in time.',
  dns: 'The host name of the base URL cannot be resolved.',
  refused: 'The host refused the connection. Please check the host and port of the base URL.',
  /** For example because of a certificate. */
  tls: 'A secure connection could not be established. Please check the certificate and the scheme of the base URL.',
  unreachable: 'The provider cannot be reached.',
  /** A link-local or metadata address, or a private one that no admin entered. */
  address_forbidden: 'This address is not allowed.',
  not_configured: 'Neither an API key nor a base URL is set.',
} as const;
export type ConnectionFault = keyof typeof CONNECTION_FAULTS;

export type ConnectionTestResult =
  | { ok: true; message: string; models: number; ms: number }
  | { ok: false; fault: ConnectionFault; message: string; status?: number; ms: number };
