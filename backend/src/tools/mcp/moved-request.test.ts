import { movedTo } from './moved-request.js';

const FROM = new URL('https://tools.example/mcp');

const target = (statusCode: number, location: string, from = FROM): string | undefined =>
  movedTo({ statusCode, headers: { location } }, from)?.href;

it.each([
  [307, '/mcp/', 'https://tools.example/mcp/'],
  [308, 'https://tools.example/v2/mcp?a=1', 'https://tools.example/v2/mcp?a=1'],
  [301, '/mcp/', 'https://tools.example/mcp/'],
  // Of servers that do not know of the proxy with TLS before them.
  [307, 'http://tools.example/mcp/', 'https://tools.example/mcp/'],
  [301, 'http://tools.example:8080/mcp/', 'https://tools.example/mcp/'],
])('follows %i to %s at %s', (status, location, moved) => expect(target(status, location)).toBe(moved));

it.each([
  [302, '/mcp/'],
  [303, '/mcp/'],
  [301, '/login'],
  [301, '/mcp/?next=1'],
  [307, 'https://other.example/mcp/'],
  [307, 'http://other.example/mcp/'],
  [307, 'https://tools.example:8443/mcp/'],
  [307, '//other.example/mcp/'],
  [308, '/mcp'],
  [307, 'http://'],
])('does not follow %i to %s', (status, location) => expect(target(status, location)).toBeUndefined());

it('never leaves TLS, and never takes it for another port', () => {
  const plain = new URL('http://tools.example/mcp');
  expect(target(307, 'https://tools.example/mcp/', plain)).toBeUndefined();
  expect(target(307, 'http://tools.example//other.example/mcp')).toBe('https://tools.example//other.example/mcp');
});
