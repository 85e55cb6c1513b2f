import { brave } from './brave.js';
import type { SearchClient } from './search-client.js';
import { searxng } from './searxng.js';
import { tavily } from './tavily.js';

const RESULT = { url: 'https://a.example/', title: 'A', snippet: 'About A' };

const CASES: [string, SearchClient, unknown][] = [
  [
    'SearXNG',
    searxng('http://10.0.0.5:8080/base/'),
    { results: [{ url: RESULT.url, title: 'A', content: 'About A' }] },
  ],
  ['Brave', brave('key'), { web: { results: [{ url: RESULT.url, title: 'A', description: 'About <b>A</b>' }] } }],
  ['Tavily', tavily('key'), { results: [{ url: RESULT.url, title: 'A', content: 'About&nbsp;A' }] }],
];

describe.each(CASES)('%s', (_, client, body) => {
  it('reads results', () => {
    expect(client.read(body)).toEqual([RESULT]);
  });

  it('skips entries without a web address', () => {
    const text = JSON.stringify(body).replaceAll('https:', 'javascript:');
    expect(client.read(JSON.parse(text))).toEqual([]);
  });

  it.each([null, [], 'text', { results: {} }, { web: 7 }, {}])('refuses another body, case %#', (other) => {
    expect(client.read(other)).toBeNull();
  });
});

describe('requests', () => {
  it('of SearXNG go below its base URL, whose origin is trusted', () => {
    const client = searxng('http://10.0.0.5:8080/base/');
    const { url, headers } = client.request('a & b', 5);
    expect(url.href).toBe('http://10.0.0.5:8080/base/search?q=a+%26+b&format=json&safesearch=1');
    expect(headers).toEqual({ accept: 'application/json' });
    expect(client.trustedOrigin).toBe('http://10.0.0.5:8080');
  });

  it('of Brave and Tavily send the key in a header to a fixed host', () => {
    const [first, second] = [brave('key-b').request('q', 3), tavily('key-t').request('q', 3)];
    expect([first.url.host, first.headers['x-subscription-token']]).toEqual(['api.search.brave.com', 'key-b']);
    expect([second.url.host, second.headers.authorization]).toEqual(['api.tavily.com', 'Bearer key-t']);
    expect(JSON.parse(second.body!)).toEqual({ query: 'q', max_results: 3 });
    expect(first.url.href).not.toContain('key-b');
  });
});

it('Brave without results has no list', () => {
  expect(brave('key').read({ type: 'search', query: {} })).toEqual([]);
});
