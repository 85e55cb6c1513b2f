import { isResult, listAt, type SearchClient, toResult } from './search-client.js';

const ENDPOINT = 'https://api.tavily.com/search';

export const tavily = (apiKey: string): SearchClient => ({
  trustedOrigin: null,
  request: (query, count) => ({
    url: new URL(ENDPOINT),
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: `Bearer ${apiKey}`,
    },
    body: JSON.stringify({ query, max_results: count }),
  }),
  read: (body) =>
    listAt(body, 'results')
      ?.map(({ url, title, content }) => toResult(url, title, content))
      .filter(isResult) ?? null,
});
