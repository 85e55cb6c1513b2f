import type { SearchService } from '@tanya/contract';
import type { StoredSearch } from '../../settings/search-settings.js';
import { brave } from './brave.js';
import type { SearchClient } from './search-client.js';
import { searxng } from './searxng.js';
import { tavily } from './tavily.js';

export interface SearchAccess {
  service: SearchService;
  source: 'settings' | 'environment';
  client: SearchClient;
}

/** Which service the choice stands for; null when it is not configured. Settings win over the environment. */
export function searchAccess(stored: StoredSearch, environmentUrl: string | null): SearchAccess | null {
  const configured = configuredIn(stored, environmentUrl);
  if (stored.choice === 'auto') return configured[0] ?? null;
  return configured.find(({ service }) => service === stored.choice) ?? null;
}

/** Every configured service, in the order of preference. */
function configuredIn(
  { searxngUrl, braveApiKey, tavilyApiKey }: StoredSearch,
  environmentUrl: string | null,
): SearchAccess[] {
  const found: SearchAccess[] = [];
  if (searxngUrl !== null) found.push({ service: 'searxng', source: 'settings', client: searxng(searxngUrl) });
  if (braveApiKey !== null) found.push({ service: 'brave', source: 'settings', client: brave(braveApiKey) });
  if (tavilyApiKey !== null) found.push({ service: 'tavily', source: 'settings', client: tavily(tavilyApiKey) });
  if (searxngUrl === null && environmentUrl !== null) {
    found.push({ service: 'searxng', source: 'environment', client: searxng(environmentUrl) });
  }
  return found;
}
