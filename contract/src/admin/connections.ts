import type { ErrorCode } from '../errors.js';

/**
 * Kinds of connections: each has its own wire format and defaults. `openrouter` and `openai` have a public address,
 * which an empty base URL stands for. `compatible` is any server with OpenAI's API.
 */
export const CONNECTION_KINDS = ['openrouter', 'openai', 'compatible'] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** The last failure of a connection. */
export interface ConnectionFailure {
  /** A `provider_…` or `timeout_…` code. */
  code: ErrorCode;
  /** The cause, for admins. Holds no key and no text of the upstream. */
  message: string;
  at: string;
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
  /** Number of models that name this connection. While there are any it cannot be deleted. */
  modelCount: number;
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
export interface UpdateConnectionRequest {
  name?: string;
  baseUrl?: string;
  apiKey?: string;
  enabled?: boolean;
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

/** Causes of a failed test. Programs switch on the code. */
export const CONNECTION_FAULTS = [
  /** The key was refused: status 401 or 403. */
  'unauthorized',
  /** The account has no credit left. */
  'no_credit',
  /** Status 429. */
  'rate_limited',
  /** Status 404: usually a base URL without its `/v1`. */
  'not_found',
  /** Any other status of 400 and above. */
  'http_error',
  /** The server answered with a redirect, which is not followed. */
  'redirect',
  /** The server answered with a web page. */
  'html',
  /** The answer is not JSON or has no list of models. */
  'invalid_answer',
  /** The answer exceeds the maximum size. */
  'too_large',
  /** The server did not answer in time. */
  'timeout',
  /** The host name cannot be resolved. */
  'dns',
  /** The host refused the connection. */
  'refused',
  /** The TLS handshake failed, for example because of a certificate. */
  'tls',
  /** Another network failure. */
  'unreachable',
  /** A link-local or metadata address, or a private one that no admin entered. */
  'address_forbidden',
  /** Neither a key nor a base URL is set. */
  'not_configured',
] as const;
export type ConnectionFault = (typeof CONNECTION_FAULTS)[number];

export type ConnectionTestResult =
  | { ok: true; message: string; models: number; ms: number }
  | { ok: false; fault: ConnectionFault; message: string; status?: number; ms: number };
