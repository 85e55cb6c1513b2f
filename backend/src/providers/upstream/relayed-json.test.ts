import type { RelayedJson } from '../provider.js';
import { relayedJson } from './relayed-json.js';

const relayed = (body: string): RelayedJson => relayedJson(Buffer.from(body));

it('relays an object with data as it is, with its tokens', () => {
  const json = '{"object":"list","data":[],"usage":{"prompt_tokens": 7,"total_tokens":7}}';
  for (const body of [json, ` ${json}\n`, `\uFEFF${json}\r\n`]) {
    expect(relayed(body)).toEqual({ json: Buffer.from(json), usage: { promptTokens: 7, completionTokens: 0 } });
  }
});

it('relays an object after and before whitespace of any length', () => {
  const json = '{"data":[]}';
  const keepAlive = ' \t\r\n'.repeat(5_000);
  for (const body of [
    `${keepAlive}${json}`,
    `${json}${keepAlive}`,
    `${keepAlive}\uFEFF${keepAlive}${json}${keepAlive}`,
  ])
    expect(relayed(body).json).toEqual(Buffer.from(json));
});

it('finds the tokens at either end of a large response', () => {
  const data = `"data":[{"embedding":[${'0.25,'.repeat(10_000)}1]}]`;
  const usage = '"usage":{"prompt_tokens":12}';
  expect(relayed(`{${data},${usage}}`).usage).toMatchObject({ promptTokens: 12 });
  expect(relayed(`{${usage},${data}}`).usage).toMatchObject({ promptTokens: 12 });
});

it('finds the cost and the model', () => {
  const json = '{"data":[],"model":"a/b","usage":{"prompt_tokens":7,"cost":1.4e-7}}';
  expect(relayed(json).usage).toMatchObject({ promptTokens: 7, cost: '0.00000014', model: 'a/b' });
});

it('reports no tokens without a usage', () => {
  expect(relayed('{"data":[]}').usage).toBeNull();
});

it.each([
  '',
  ' ',
  '{',
  'null',
  '[]',
  '<html>',
  '{"error":{}}',
  '{"data":[]',
  'data {"data":[]}',
  '{"data":[]} and more',
])('refuses %j', (body) => {
  expect(() => relayed(body)).toThrow(expect.objectContaining({ code: 'provider_error' }));
});
