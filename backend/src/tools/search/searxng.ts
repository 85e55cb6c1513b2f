import { trimEndOf } from '@tanya/contract';
import { isResult, listAt, type SearchClient, toResult } from './search-client.js';

/** A SearXNG server. Its `settings.yml` must list the format json. */
export const searxng = (baseUrl: string): SearchClient => ({
  trustedOrigin: new URL(baseUrl).origin,
  request: (query) => {
    const url = new URL(`${trimEndOf(baseUrl, '/')}/search`);
    url.search = new URLSearchParams({ q: query, format: 'json', safesearch: '1' }).toString();
    return { url, method: 'GET', headers: { accept: 'application/json' } };
  },
  read: (body) =>
    listAt(body, 'results')
      ?.map(({ url, title, content }) => toResult(url, title, content))
      .filter(isResult) ?? null,
});
