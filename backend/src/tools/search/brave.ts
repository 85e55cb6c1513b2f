import { isResult, listAt, type SearchClient, toResult } from './search-client.js';

const ENDPOINT = 'https://api.search.brave.com/res/v1/web/search';

export const brave = (apiKey: string): SearchClient => ({
  trustedOrigin: null,
  request: (query, count) => {
    const url = new URL(ENDPOINT);
    url.search = new URLSearchParams({ q: query, count: String(count), text_decorations: 'false' }).toString();
    return { url, method: 'GET', headers: { accept: 'application/json', 'x-subscription-token': apiKey } };
  },
  // A query without results has no list.
  read: (body) => {
    const found = listAt(body, 'web', 'results');
    if (found === null) return isSearchAnswer(body) ? [] : null;
    return found.map(({ url, title, description }) => toResult(url, title, description)).filter(isResult);
  },
});

const isSearchAnswer = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'type' in body && body.type === 'search';
