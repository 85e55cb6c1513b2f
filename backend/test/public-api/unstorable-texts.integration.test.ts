import { MODEL, useOneCaller } from './public-api-harness.js';

const suite = useOneCaller();

const BROKEN = 'a\0b\ud800c';
const REPAIRED = 'a\ufffdb\ufffdc';
const ITEM = { role: 'user', content: BROKEN, [BROKEN]: BROKEN };

const post = (path: string, body: object) => suite.harness.post(suite.caller.key, body, {}, `/api/v1/${path}`);
const sentMessages = (): unknown => suite.harness.upstream.callsOf().at(-1)!.body['messages'];

it.each<[string, object]>([
  ['chat/completions', { messages: [ITEM], user: BROKEN, metadata: { [BROKEN]: BROKEN } }],
  ['responses', { input: [ITEM], metadata: { [BROKEN]: BROKEN } }],
  ['responses', { input: BROKEN }],
  ['messages', { messages: [ITEM], max_tokens: 50 }],
])('text that cannot be stored is repaired: %s', async (path, fields) => {
  const { status, body } = await post(path, { model: MODEL, ...fields });
  expect([status, body]).toEqual([200, expect.anything()]);
  expect(sentMessages()).toEqual([{ role: 'user', content: REPAIRED }]);
});

it.each<[string, object]>([
  ['messages/count_tokens', { messages: [ITEM] }],
  ['responses/input_tokens', { input: [ITEM] }],
  ['responses/compact', { input: [ITEM] }],
])('and where no answer is asked for: %s', async (path, fields) => {
  expect((await post(path, { model: MODEL, ...fields })).status).toBe(200);
});

it('names and schemas of tools and the arguments of calls are repaired', async () => {
  const parameters = { type: 'object', properties: { [BROKEN]: { description: BROKEN } } };
  const call = { id: BROKEN, type: 'function', function: { name: 'now', arguments: { [BROKEN]: BROKEN } } };
  const messages = [
    { role: 'user', content: 'time?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: BROKEN, content: BROKEN },
  ];
  const tools = [{ type: 'function', function: { name: 'now', description: BROKEN, parameters } }];
  expect((await post('chat/completions', { model: MODEL, messages, tools })).status).toBe(200);
  const sent = JSON.stringify(suite.harness.upstream.callsOf().at(-1)!.body);
  expect(sent).toContain(JSON.stringify({ [REPAIRED]: { description: REPAIRED } }));
  expect(sent).not.toMatch(/\\u0000|\\ud800/);
});

const MESSAGES = { messages: [{ role: 'user', content: 'x' }], max_tokens: 5 };

it.each<[string, object]>([
  ['chat/completions', MESSAGES],
  ['responses', { input: 'x' }],
  ['messages', MESSAGES],
  ['embeddings', { input: 'x' }],
  ['images/generations', { prompt: 'x' }],
])('such an id belongs to no model: %s', async (path, fields) => {
  expect((await post(path, { model: `${MODEL}\0`, ...fields })).status).toBe(404);
});
