import type { RelayedJson } from '../provider.js';
import { encodingOf } from './dialect/embedding-list.js';
import { relayedJson } from './relayed-json.js';

const relayed = (body: string): Promise<RelayedJson> => relayedJson(Buffer.from(body), 'float', 0);

it('relays an object with data as it is, with its tokens', async () => {
  const json = '{"object":"list","data":[],"usage":{"prompt_tokens": 7,"total_tokens":7}}';
  for (const body of [json, ` ${json}\n`, `\uFEFF${json}\r\n`]) {
    expect(await relayed(body)).toEqual({ json: Buffer.from(json), usage: { promptTokens: 7, completionTokens: 0 } });
  }
});

it('has the tokens of a server that counts all alone, as Voyage does', async () => {
  const { usage } = await relayed('{"data":[],"usage":{"total_tokens":10}}');
  expect(usage).toEqual({ promptTokens: 10, completionTokens: 0 });
});

it('relays an object after and before whitespace of any length', async () => {
  const json = '{"data":[]}';
  const keepAlive = ' \t\r\n'.repeat(5_000);
  for (const body of [
    `${keepAlive}${json}`,
    `${json}${keepAlive}`,
    `${keepAlive}\uFEFF${keepAlive}${json}${keepAlive}`,
  ])
    expect((await relayed(body)).json).toEqual(Buffer.from(json));
});

it('finds the tokens at either end of a large response', async () => {
  const data = `"data":[{"embedding":[${'0.25,'.repeat(10_000)}1]}]`;
  const usage = '"usage":{"prompt_tokens":12}';
  expect((await relayed(`{${data},${usage}}`)).usage).toMatchObject({ promptTokens: 12 });
  expect((await relayed(`{${usage},${data}}`)).usage).toMatchObject({ promptTokens: 12 });
});

it('finds the cost and the model', async () => {
  const json = '{"data":[],"model":"a/b","usage":{"prompt_tokens":7,"cost":1.4e-7}}';
  expect((await relayed(json)).usage).toMatchObject({ promptTokens: 7, cost: '0.00000014', model: 'a/b' });
});

it('adds what the provider takes for a key of OpenRouter’s customer', async () => {
  const byKey = (isOwn: boolean): string =>
    `{"data":[],"usage":{"prompt_tokens":7,"cost":0.001,"is_byok":${isOwn},"cost_details":{"upstream_inference_cost":2e-3}}}`;
  expect((await relayed(byKey(true))).usage).toMatchObject({ cost: '0.003' });
  expect((await relayed(byKey(false))).usage).toMatchObject({ cost: '0.001' });
});

it('reports no tokens without a usage', async () => {
  expect((await relayed('{"data":[]}')).usage).toBeNull();
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
])('refuses %j', async (body) => {
  await expect(relayed(body)).rejects.toEqual(expect.objectContaining({ code: 'provider_error' }));
});

describe('vectors', () => {
  const list = (embedding: unknown): string =>
    JSON.stringify({ object: 'list', data: [{ object: 'embedding', index: 0, embedding }], model: 'm' });
  const NUMBERS = [0.5, -0.25, 0.125, 1];
  const BASE64 = 'AAAAPwAAgL4AAAA+AACAPw==';

  it.each([
    ['numbers', NUMBERS],
    ['base64', BASE64],
    ['a list in a list', [NUMBERS]],
  ])('sent as %s arrive in the asked encoding', async (_name, sent) => {
    const arrive = async (encoding: 'float' | 'base64'): Promise<string> =>
      (await relayedJson(Buffer.from(list(sent)), encoding, 1)).json.toString();
    expect([await arrive('float'), await arrive('base64')]).toEqual([list(NUMBERS), list(BASE64)]);
  });

  it.each([
    ['float', NUMBERS],
    ['base64', BASE64],
    [null, [NUMBERS]],
  ])('have the encoding %p beside an object of the same name', (encoding, sent) => {
    expect(encodingOf(Buffer.from(list(sent)))).toBe(encoding);
  });

  it.each([[{ error: { message: 'boom', code: 500 }, data: null }], [{ data: [], error: 'boom' }], [{ data: null }]])(
    'are not in %j',
    async (body) => {
      await expect(relayed(JSON.stringify(body))).rejects.toMatchObject({ code: 'provider_error' });
    },
  );

  it.each(['AAAA', '!', [[1], [2]], ['x'], []])('that cannot be read are refused: %j', async (sent) => {
    await expect(
      relayedJson(Buffer.from(list(sent)), Array.isArray(sent) ? 'base64' : 'float', 1),
    ).rejects.toMatchObject({
      code: 'provider_error',
    });
  });

  it('longer than those of any model are not converted', async () => {
    const convert = (count: number) => {
      const text = Buffer.alloc(4 * count).toString('base64');
      return relayedJson(Buffer.from(list(text)), 'float', 1);
    };
    expect((await convert(65_536)).json.toString()).toBe(list(Array.from({ length: 65_536 }, () => 0)));
    await expect(convert(65_537)).rejects.toMatchObject({ code: 'provider_error' });
    await expect(
      relayedJson(Buffer.from(list(Array.from({ length: 65_537 }, () => 0))), 'base64', 1),
    ).rejects.toMatchObject({ code: 'provider_error' });
  });

  it('are converted in slices', async () => {
    const embedding = Buffer.alloc(4 * 20_000, 1).toString('base64');
    const json = Buffer.from(JSON.stringify({ data: Array.from({ length: 200 }, () => ({ embedding })) }));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    await relayedJson(json, 'float', 200);
    clearInterval(timer);
    // The scan before takes a few slices; 4,000,000 numbers take a hundred.
    expect(turns).toBeGreaterThan(30);
  });

  it('of which there are fewer than inputs are no answer', async () => {
    for (const numbers of [[1], Array.from({ length: 10_000 }, () => 0.25)]) {
      await expect(relayedJson(Buffer.from(list(numbers)), 'float', 2)).rejects.toMatchObject({
        code: 'provider_error',
      });
      expect((await relayedJson(Buffer.from(list(numbers)), 'float', 1)).json.toString()).toBe(list(numbers));
    }
    await expect(relayedJson(Buffer.from('{"data":[]}'), 'float', 1)).rejects.toMatchObject({ code: 'provider_error' });
  });

  it.each(['null', 'NaN', '-Infinity', '[]'])(
    'with %s in place of a number are refused, in long lists too',
    async (hole) => {
      for (const length of [3, 10_000])
        for (const encoding of ['float', 'base64'] as const) {
          const numbers = Array.from({ length }, (_, at) => (at === 2 ? hole : '0.25')).join();
          const json = `{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[${numbers}]}],"usage":{"prompt_tokens":3}}`;
          await expect(relayedJson(Buffer.from(json), encoding, 2)).rejects.toMatchObject({ code: 'provider_error' });
        }
    },
  );

  it.each(['null', '[]'])('of which one is %s are refused, in long lists too', async (hole) => {
    for (const length of [3, 10_000]) {
      const first = JSON.stringify({ index: 0, embedding: Array.from({ length }, () => 0.25) });
      const json = `{"data":[${first},{"index":1,"embedding":${hole}}],"usage":{"prompt_tokens":3}}`;
      await expect(relayedJson(Buffer.from(json), 'float', 2)).rejects.toMatchObject({ code: 'provider_error' });
    }
  });

  it('in base64 of which one is empty are refused, in long lists too', async () => {
    for (const hole of ['null', '""']) {
      const first = JSON.stringify({ index: 0, embedding: Buffer.alloc(40_000, 1).toString('base64') });
      const json = `{"data":[${first},{"index":1,"embedding":${hole}}],"usage":{"prompt_tokens":3}}`;
      await expect(relayedJson(Buffer.from(json), 'base64', 2)).rejects.toMatchObject({ code: 'provider_error' });
    }
  });

  it('are relayed as they are where null stands around them', async () => {
    const numbers = Array.from({ length: 10_000 }, () => ' 0.25').join();
    const json = `{"id":null,"data":[{"index":0,"embedding":[${numbers}]}],"usage":{"prompt_tokens":3,"prompt_tokens_details":null}}`;
    expect((await relayedJson(Buffer.from(json), 'float', 1)).json.toString()).toBe(json);
  });

  it('without their places get them', async () => {
    for (const length of [1, 10_000]) {
      const embedding = Array.from({ length }, () => 0.25);
      const { json } = await relayedJson(
        Buffer.from(JSON.stringify({ data: [{ embedding }, { embedding }] })),
        'float',
        2,
      );
      expect(JSON.parse(json.toString())).toEqual({ data: [0, 1].map((index) => ({ embedding, index })) });
    }
  });
});
