import { collectAnswer, requestOf } from '../harness/collect-answer.js';
import type { Script } from '../harness/scripted-answers.js';
import { provider, upstream } from './provider-harness.js';

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
