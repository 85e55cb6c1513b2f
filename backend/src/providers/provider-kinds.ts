import { CONNECTION_KINDS, type ConnectionKind } from '@tanya/contract';
import type { ProviderTimings } from './provider.js';
import type { CompletionBodyOptions } from './upstream/completion/completion-body.js';
import { OpenAiCompatibleProvider, type OpenAiCompatibleOptions } from './upstream/openai-compatible.provider.js';

export interface ProviderKind {
  /** Base URL of a connection without one; null if it needs one. */
  readonly publicUrl: string | null;
  /** Endpoint that refuses a wrong key, for servers that list their models without one; null for the others. */
  readonly keyPath: string | null;
  /** How the server wants requests. */
  bodyOptionsAt(baseUrl: string): CompletionBodyOptions;
  /** The model id in the server's own form. */
  ownModelId(modelId: string): string;
}

/** The kinds of connections. */
export const PROVIDER_KINDS: Readonly<Record<ConnectionKind, ProviderKind>> = {
  openrouter: {
    publicUrl: 'https://openrouter.ai/api/v1',
    keyPath: '/key',
    bodyOptionsAt: () => ({ effortField: 'reasoning' }),
    ownModelId: (modelId) => modelId,
  },
  openai: {
    publicUrl: 'https://api.openai.com/v1',
    keyPath: null,
    bodyOptionsAt: (baseUrl) => ({ usesNewLimitName: new URL(baseUrl).hostname === 'api.openai.com' }),
    // OpenAI's own ids do not have the maker's prefix.
    ownModelId: (modelId) => modelId.replace(/^openai\//, ''),
  },
  compatible: {
    publicUrl: null,
    keyPath: null,
    bodyOptionsAt: () => ({}),
    ownModelId: (modelId) => modelId,
  },
};

/** False for a kind that a later version of the product has stored. */
export const isKnownKind = (kind: string): kind is ConnectionKind =>
  (CONNECTION_KINDS as readonly string[]).includes(kind);

/** API key and base URL of a connection; null means not set. */
export interface ProviderAccess {
  apiKey: string | null;
  /** null: the public address of the kind. */
  baseUrl: string | null;
}

export const addressOf = (kind: ConnectionKind, { baseUrl }: ProviderAccess): string | null =>
  baseUrl ?? PROVIDER_KINDS[kind].publicUrl;

export const isConfigured = ({ apiKey, baseUrl }: ProviderAccess): boolean => apiKey !== null || baseUrl !== null;

export const isSameAccess = (a: ProviderAccess, b: ProviderAccess): boolean =>
  a.apiKey === b.apiKey && a.baseUrl === b.baseUrl;

/**
 * Opens the provider of a connection. Its address may be private only if an admin entered it.
 * @throws Error for a kind without a public address and no base URL
 */
export function openProvider(
  kind: ConnectionKind,
  access: ProviderAccess,
  timings: ProviderTimings,
  options: Pick<OpenAiCompatibleOptions, 'memory' | 'onOutcome'> = {},
): OpenAiCompatibleProvider {
  const baseUrl = addressOf(kind, access);
  if (baseUrl === null) throw new Error(`a connection of kind ${kind} needs a base URL`);
  const bodyOptions = PROVIDER_KINDS[kind].bodyOptionsAt(baseUrl);
  const { apiKey } = access;
  const mayBePrivate = access.baseUrl !== null;
  return new OpenAiCompatibleProvider({ name: kind, baseUrl, apiKey, mayBePrivate, bodyOptions, timings, ...options });
}
