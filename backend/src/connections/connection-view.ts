import type { ProviderConnection } from '@tanya/contract';
import { isConfigured } from '../providers/connection-provider.js';
import { maskKey } from '../settings/provider-access.js';
import type { ConnectionAccess } from './connection-access.service.js';
import type { ProviderConnectionEntity } from './provider-connection.entity.js';

export function toConnection(
  row: ProviderConnectionEntity,
  { stored, inUse }: ConnectionAccess,
  modelCount: number,
): ProviderConnection {
  const { id, kind, name, enabled, position, lastError, lastErrorAt, lastSuccessAt } = row;
  const keyOrigin = stored.apiKey === null ? 'environment' : 'settings';
  return {
    id,
    kind,
    name,
    baseUrl: stored.baseUrl ?? '',
    apiKey: maskKey(stored.apiKey),
    hasApiKey: inUse.apiKey !== null,
    isKeyUnreadable: stored.hasKey && stored.apiKey === null,
    keySource: inUse.apiKey === null ? null : keyOrigin,
    enabled,
    isBuiltIn: row.builtIn !== null,
    isConfigured: isConfigured(inUse),
    position,
    lastError: lastError === null || lastErrorAt === null ? null : { ...lastError, at: lastErrorAt.toISOString() },
    lastSuccess: lastSuccessAt?.toISOString() ?? null,
    modelCount,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
