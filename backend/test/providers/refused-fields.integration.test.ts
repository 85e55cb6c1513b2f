import { collectAnswer, requestOf } from '../harness/collect-answer.js';
import type { Script } from '../harness/scripted-answers.js';
import { AdaptationMemory } from '../../src/providers/upstream/adaptation-memory.js';
import { connect, provider, upstream } from './provider-harness.js';

const ANSWER: Script = { steps: [{ text: 'Answer.' }, { finish: 'stop' }, { done: true }] };

describe('a server that refuses a field which changes nothing', () => {
  it.each([
    [400, { detail: "Extra parameters ['stream_options'] are not allowed" }],
    [422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs' }] }],
    [400, { error: { message: "Unknown parameter: 'stream_options'.", param: 'stream_options' } }],
    [500, { error: "unexpected keyword argument 'stream_options'" }],
  ])('with %i %j is asked again without it, and later at once', async (status, body) => {
    upstream.script({ status, body: JSON.stringify(body) }, ANSWER, ANSWER);
    for (const calls of [2, 3]) {
      const { events, error } = await collectAnswer(provider, requestOf('Hi'));
      expect([error, events]).toMatchObject([null, [{ text: 'Answer.' }, { type: 'finish' }]]);
      expect(upstream.callsOf()).toHaveLength(calls);
    }
    const sent = upstream.callsOf().map((call) => 'stream_options' in call.body);
    expect(sent).toEqual([true, false, false]);
  });

  it('gets the limit under its other name', async () => {
    const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
    upstream.script({ status: 400, body: JSON.stringify({ error: { message, param: 'max_tokens' } }) }, ANSWER);
    await collectAnswer(provider, { ...requestOf('Hi'), maxTokens: 7 });
    const limits = upstream.callsOf().map(({ body }) => [body['max_tokens'], body['max_completion_tokens']]);
    expect(limits).toEqual([
      [7, undefined],
      [undefined, 7],
    ]);
  });

  it('is asked once when it refuses what the asker wants', async () => {
    upstream.script({ status: 400, body: JSON.stringify({ error: { message: 'max_tokens is too large' } }) });
    const { error } = await collectAnswer(provider, { ...requestOf('Hi'), maxTokens: 7 });
    expect(error).toMatchObject({ code: 'provider_refused', status: 400 });
    expect(upstream.callsOf()).toHaveLength(1);
  });
});

describe('a server without the encoding of vectors that OpenAI’s clients ask for', () => {
  const LIST = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.25] }] };
  const embed = (more: object) => provider.embed({ model: 'm', input: 'Hi', ...more }, AbortSignal.timeout(30_000));
  const given = () => upstream.callsOf('embeddings').map(({ body }) => body['encoding_format']);

  it.each<[number, object]>([
    [400, { error: { message: "ollama does not support parameters: ['encoding_format']" } }],
    [422, { detail: [{ loc: ['body', 'encoding_format'], msg: 'Extra inputs are not permitted' }] }],
    [200, { object: 'list', data: [] }],
    [200, { object: 'list', data: [{ object: 'embedding', index: 0, embedding: null }] }],
  ])('that says so with %i %j is asked without it, later at once', async (status, body) => {
    const whole = { on: 'embeddings' as const, body: JSON.stringify(LIST) };
    upstream.script({ on: 'embeddings', status, body: JSON.stringify(body) }, whole, whole);
    for (const calls of [2, 3]) {
      const { json } = await embed({ encoding_format: 'base64' });
      expect(JSON.parse(json.toString())).toMatchObject({ data: [{ embedding: 'AAAAPwAAgL4=' }] });
      expect(upstream.callsOf('embeddings')).toHaveLength(calls);
    }
    expect(given()).toEqual(['base64', undefined, undefined]);
  });

  it('is asked once for numbers that it does not have, for fewer vectors than texts, and for what it refuses otherwise', async () => {
    upstream.script({ on: 'embeddings', body: '{"object":"list","data":[]}' });
    await expect(embed({ encoding_format: 'float' })).rejects.toMatchObject({ code: 'provider_error' });
    upstream.script({ on: 'embeddings', body: JSON.stringify(LIST) });
    const two = { input: ['Hi', 'Ho'], encoding_format: 'base64' };
    await expect(embed(two)).rejects.toMatchObject({ code: 'provider_error' });
    const refusal = JSON.stringify({ error: { message: 'This model has no dimensions.' } });
    upstream.script({ on: 'embeddings', status: 400, body: refusal });
    await expect(embed({ dimensions: 3 })).rejects.toMatchObject({ code: 'provider_refused' });
    expect(upstream.callsOf('embeddings')).toHaveLength(3);
  });
});

describe('a server that refuses streams', () => {
  const WHOLE: Script = {
    body: JSON.stringify({
      choices: [{ index: 0, message: { role: 'assistant', content: 'Answer.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 2 },
    }),
    headers: { 'content-type': 'application/json' },
  };

  it.each([
    ['Your organization must be verified to stream this model.', 'stream'],
    ["Unsupported value: 'stream' does not support true with this model.", 'stream'],
    ['Streaming is not supported for this model', undefined],
    ['This model does not support streaming.', undefined],
  ])('is asked for the answer in one piece, later at once: %s', async (message, param) => {
    upstream.script({ status: 400, body: JSON.stringify({ error: { message, param } }) }, WHOLE, WHOLE);
    for (const calls of [2, 3]) {
      const { events, error } = await collectAnswer(provider, requestOf('Hi'));
      expect([error, events.map(({ type }) => type)]).toEqual([null, ['text-delta', 'usage', 'finish']]);
      expect(upstream.callsOf()).toHaveLength(calls);
    }
    const sent = upstream.callsOf().map(({ body }) => [body['stream'], 'stream_options' in body]);
    expect(sent).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
  });

  const TOOL = { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } };
  const sentStreams = (): unknown[] => upstream.callsOf().map(({ body }) => body['stream']);
  const askWith = (tools: (typeof TOOL)[]): ReturnType<typeof collectAnswer> =>
    collectAnswer(provider, { ...requestOf('Hi'), ...(tools.length > 0 && { tools }) });

  it.each([
    "This model doesn't support tool use in streaming mode.",
    'Function calling is not supported with streaming.',
    'Cannot use tools with stream',
    'Streaming is not supported with tools',
    'stream=true is not supported when tools are given: streaming is not supported',
  ])('beside tools alone streams what has none: %s', async (message) => {
    const refusal = { status: 400, body: JSON.stringify({ error: { message } }) };
    upstream.script(refusal, WHOLE, ANSWER, WHOLE);
    for (const tools of [[TOOL], [], [TOOL]])
      expect(await askWith(tools)).toMatchObject({ error: null, text: 'Answer.' });
    expect(sentStreams()).toEqual([true, false, true, false]);
  });

  it('with and without tools is asked for both once', async () => {
    const refusal = { status: 400, body: JSON.stringify({ error: { message: 'Streaming is not supported' } }) };
    upstream.script(refusal, WHOLE, refusal, WHOLE, WHOLE, WHOLE);
    for (const tools of [[TOOL], [], [TOOL], []]) expect(await askWith(tools)).toMatchObject({ error: null });
    expect(sentStreams()).toEqual([true, false, true, false, false, false]);
  });

  it('is waited for longer than one that streams', async () => {
    const memory = new AdaptationMemory();
    memory.replace({ [requestOf('Hi').model]: ['stream'] });
    const patient = connect(upstream.url, { firstToken: 1 }, memory);
    upstream.script(WHOLE);
    expect(await collectAnswer(patient, requestOf('Hi'))).toMatchObject({ text: 'Answer.', error: null });
    await patient.close();
  });
});
