import type { ConnectionKind } from '@tanya/contract';
import type { AdaptationMemory } from './upstream/adaptation-memory.js';
import type { ProviderTimings } from './provider.js';
import { PROVIDER_KINDS } from './provider-kinds.js';
import { OpenAiCompatibleProvider } from './upstream/openai-compatible.provider.js';

/** API key and base URL of a connection; null means not set. */
export interface ProviderAccess {
  apiKey: string | null;
  /** null: the public address of the kind. */
  baseUrl: string | null;
}

export const addressOf = (kind: ConnectionKind, { baseUrl }: ProviderAccess): string | null =>
  baseUrl ?? PROVIDER_KINDS[kind].publicUrl;

export const isConfigured = ({ apiKey, baseUrl }: ProviderAccess): boolean => apiKey !== null || baseUrl !== null;

/**
 * Opens the provider of a connection. It changes its requests as `memory` says, and adds to it. Its address may be private
 * only if an admin entered it.
 * @throws Error for a kind without a public address and no base URL
 */
export function openProvider(
  kind: ConnectionKind,
  access: ProviderAccess,
  timings: ProviderTimings,
  memory?: AdaptationMemory,
): OpenAiCompatibleProvider {
  const baseUrl = addressOf(kind, access);
  if (baseUrl === null) throw new Error(`a connection of kind ${kind} needs a base URL`);
  const { apiKey } = access;
  const format = PROVIDER_KINDS[kind].formatAt(baseUrl);
  return new OpenAiCompatibleProvider({
    name: kind,
    baseUrl,
    apiKey,
    mayBePrivate: access.baseUrl !== null,
    format,
    timings,
    memory,
  });
}
