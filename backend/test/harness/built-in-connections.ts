import type { ConnectionConfig, ProviderAccess, ProviderId } from '../../src/providers/registry.js';

const NAMES: Record<ProviderId, string> = { openrouter: 'OpenRouter', openai: 'OpenAI' };

/** The two fixed rows of the connections with this access in use. */
export const builtInConnections = (access: Partial<Record<ProviderId, ProviderAccess>>): ConnectionConfig[] =>
  (['openrouter', 'openai'] as const).map((kind, index) => ({
    id: index + 1,
    kind,
    name: NAMES[kind],
    enabled: true,
    builtIn: kind,
    access: access[kind] ?? { apiKey: null, baseUrl: null },
    adaptations: {},
  }));
