import type { ProviderConnection } from '@tanya/contract';
import { addressOf, isConfigured } from '../providers/provider-kinds.js';
import type { AccessPair } from './connection-access.js';
import { maskKey } from './provider-access.js';
import type { ProviderConnectionEntity } from './provider-connection.entity.js';

export function toConnection(
  row: ProviderConnectionEntity,
  { stored, inUse }: AccessPair,
  { modelCount, answersUnbound }: Pick<ProviderConnection, 'modelCount' | 'answersUnbound'>,
): ProviderConnection {
  const { id, kind, name, enabled, position, lastError, lastErrorAt, lastSuccessAt } = row;
  const address = addressOf(kind, inUse);
  return {
    id,
    kind,
    name,
    baseUrl: stored.baseUrl ?? '',
    apiKey: maskKey(stored.apiKey, stored.hasKey),
    hasApiKey: inUse.apiKey !== null,
    isKeyUnreadable: stored.hasKey && stored.apiKey === null,
    keySource: sourceOf(stored.apiKey, inUse.apiKey) ?? 'none',
    address,
    baseUrlSource: sourceOf(stored.baseUrl, inUse.baseUrl) ?? (address === null ? 'none' : 'default'),
    enabled,
    isBuiltIn: row.builtIn !== null,
    isConfigured: isConfigured(inUse),
    position,
    lastError: lastError === null || lastErrorAt === null ? null : { ...lastError, at: lastErrorAt.toISOString() },
    lastSuccess: lastSuccessAt?.toISOString() ?? null,
    adaptations: Object.entries(row.adaptations).map(([model, adaptation]) => ({ model, ...adaptation })),
    modelCount,
    answersUnbound,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function sourceOf(stored: string | null, inUse: string | null): 'settings' | 'environment' | null {
  if (inUse === null) return null;
  return stored === null ? 'environment' : 'settings';
}
