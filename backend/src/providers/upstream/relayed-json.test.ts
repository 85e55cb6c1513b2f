import { relayedJson } from './relayed-json.js';

it('relays an object with data as it is, with its tokens', () => {
  const json = '{"object":"list","data":[],"usage":{"prompt_tokens": 7,"total_tokens":7}}';
  expect(relayedJson(` ${json}\n`)).toEqual({ json, promptTokens: 7 });
});

it('finds the tokens at either end of a large response', () => {
  const data = `"data":[{"embedding":[${'0.25,'.repeat(10_000)}1]}]`;
  const usage = '"usage":{"prompt_tokens":12}';
  expect(relayedJson(`{${data},${usage}}`).promptTokens).toBe(12);
  expect(relayedJson(`{${usage},${data}}`).promptTokens).toBe(12);
});

it('reports no tokens without a usage', () => {
  expect(relayedJson('{"data":[]}').promptTokens).toBeNull();
});

it.each(['', 'null', '[]', '<html>', '{"error":{}}', '{"data":[]'])('refuses %j', (body) => {
  expect(() => relayedJson(body)).toThrow(expect.objectContaining({ code: 'provider_error' }));
});
