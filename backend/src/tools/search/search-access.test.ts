import type { StoredSearch } from '../../settings/search-settings.js';
import { searchAccess } from './search-access.js';

const NONE: StoredSearch = { choice: 'auto', searxngUrl: null, braveApiKey: null, tavilyApiKey: null };
const ENVIRONMENT = 'http://searx.internal:8080';

const chosen = (stored: Partial<StoredSearch>, environment: string | null = ENVIRONMENT) => {
  const access = searchAccess({ ...NONE, ...stored }, environment);
  return access && [access.service, access.source];
};

describe('searchAccess', () => {
  it.each<[Partial<StoredSearch>, string[] | null]>([
    [{}, ['searxng', 'environment']],
    [{ braveApiKey: 'b' }, ['brave', 'settings']],
    [{ tavilyApiKey: 't' }, ['tavily', 'settings']],
    [{ searxngUrl: 'https://searx.example', braveApiKey: 'b' }, ['searxng', 'settings']],
    [{ choice: 'tavily', tavilyApiKey: 't', braveApiKey: 'b' }, ['tavily', 'settings']],
    [{ choice: 'searxng', braveApiKey: 'b' }, ['searxng', 'environment']],
    [{ choice: 'brave' }, null],
    [{ choice: 'off', braveApiKey: 'b' }, null],
  ])('prefers the settings to the environment, case %#', (stored, expected) => {
    expect(chosen(stored)).toEqual(expected);
  });

  it('is null without a configured service', () => {
    expect(chosen({}, null)).toBeNull();
    expect(chosen({ choice: 'searxng' }, null)).toBeNull();
  });
});
