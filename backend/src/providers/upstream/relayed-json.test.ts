import { relayedJson } from './relayed-json.js';

it('relays an object with data as it is, with its tokens', () => {
  const json = '{"object":"list","data":[],"usage":{"prompt_tokens": 7,"total_tokens":7}}';
  expect(relayedJson(` ${json}\n`)).toEqual({ json, usage: { promptTokens: 7, completionTokens: 0 } });
});

it('finds the tokens at either end of a large response', () => {
  const data = `"data":[{"embedding":[${'0.25,'.repeat(10_000)}1]}]`;
  const usage = '"usage":{"prompt_tokens":12}';
  expect(relayedJson(`{${data},${usage}}`).usage).toMatchObject({ promptTokens: 12 });
  expect(relayedJson(`{${usage},${data}}`).usage).toMatchObject({ promptTokens: 12 });
});

it('finds the cost and the model', () => {
  const json = '{"data":[],"model":"a/b","usage":{"prompt_tokens":7,"cost":1.4e-7}}';
  expect(relayedJson(json).usage).toMatchObject({ promptTokens: 7, cost: '0.00000014', model: 'a/b' });
});

it('reports no tokens without a usage', () => {
  expect(relayedJson('{"data":[]}').usage).toBeNull();
});

it.each(['', 'null', '[]', '<html>', '{"error":{}}', '{"data":[]'])('refuses %j', (body) => {
  expect(() => relayedJson(body)).toThrow(expect.objectContaining({ code: 'provider_error' }));
});
