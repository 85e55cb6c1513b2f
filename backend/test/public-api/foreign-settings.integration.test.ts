import { MODEL, useOneCaller } from './public-api-harness.js';

/** Settings of a chat completion in the form or under the names of another API. */
const suite = useOneCaller();

const USER = [{ role: 'user', content: 'Add 1 and 2' }];

/** The request that the provider received for one of a program. */
async function sent(body: object): Promise<Record<string, unknown>> {
  const { status, body: answer } = await suite.harness.post(suite.caller.key, { model: MODEL, ...body });
  expect([status, status === 200 ? null : answer]).toEqual([200, null]);
  return suite.harness.upstream.callsOf().at(-1)!.body;
}

describe('the form of an answer of a chat completion', () => {
  const schema = { type: 'object', properties: { constructor: { type: 'string' } } };
  const sentForm = async (form: object): Promise<unknown> =>
    (await sent({ messages: USER, response_format: form }))['response_format'];

  it.each<[object, object]>([
    [
      { type: 'json_schema', name: 'sum', strict: true, schema },
      { name: 'sum', strict: true, schema },
    ],
    [
      { type: 'json_schema', schema },
      { name: 'answer', schema },
    ],
    [
      { type: 'json_schema', json_schema: { name: 'own' }, schema },
      { name: 'own', schema },
    ],
  ])('may have its schema beside its type: %j', async (form, json_schema) => {
    expect(await sentForm(form)).toEqual({ type: 'json_schema', json_schema });
  });

  it('may be any object of a schema, as servers have it that know no other', async () => {
    expect(await sentForm({ type: 'json_object', schema })).toEqual({ type: 'json_object', schema });
    const body = { model: MODEL, messages: USER, response_format: { type: 'json_object', schema: 'x' } };
    expect((await suite.harness.post(suite.caller.key, body)).status).toBe(400);
  });
});

it('a chat completion takes the names of settings in responses and messages, after its own', async () => {
  const given = { messages: USER, max_output_tokens: 50, stop_sequences: ['END'] };
  const limitOf = ({ max_tokens, max_completion_tokens }: Record<string, unknown>): unknown =>
    max_completion_tokens ?? max_tokens;
  const first = await sent(given);
  expect([limitOf(first), first['stop']]).toEqual([50, ['END']]);
  expect(limitOf(await sent({ ...given, max_tokens: -1 }))).toBe(50);
  const second = await sent({ ...given, max_tokens: 70, stop: 'own' });
  expect([limitOf(second), second['stop']]).toEqual([70, 'own']);
});

it('a chat completion passes on as many stop sequences as messages have', async () => {
  const stops = [...'abcdefghijklmnop'];
  expect((await sent({ messages: USER, stop_sequences: stops }))['stop']).toEqual(stops);
  expect((await sent({ messages: USER, stop: stops }))['stop']).toEqual(stops);
});

it.each([
  { instructions: 'Be short.' },
  { system: 'Be short.' },
  { system: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }] },
  { system: { type: 'text', text: 'Be short.' } },
  { system: ['Be short.'], instructions: '' },
])('a chat completion tells the model %j before its messages', async (more) => {
  const system = { role: 'system', content: 'Be short.' };
  expect((await sent({ messages: USER, ...more }))['messages']).toEqual([system, ...USER]);
  const names = Object.keys(more);
  for (const value of [null, '', [], 7])
    expect((await sent({ messages: USER, [names[0]!]: value }))['messages']).toEqual(USER);
});

it('a chat completion has no limit by -1, as of LM Studio', async () => {
  const body = await sent({ messages: USER, max_tokens: -1, max_completion_tokens: -1 });
  expect(Object.keys(body).filter((name) => name.startsWith('max_'))).toEqual([]);
  expect((await suite.harness.post(suite.caller.key, { model: MODEL, messages: USER, max_tokens: -2 })).status).toBe(
    400,
  );
});
