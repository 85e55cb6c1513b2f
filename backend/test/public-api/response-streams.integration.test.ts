import type { ResponseObject } from '@tanya/contract';
import type { OpenAI } from 'openai';
import { TIMINGS, type Timings } from '../../src/config/timings.js';
import { ADAPTERS } from '../harness/chat-harness.js';
import type { Step } from '../harness/scripted-answers.js';
import { waitUntil } from '../harness/wait-until.js';
import { textAnswer, WEATHER_CALL } from './client-cases.js';
import { errorIn, MODEL } from './public-api-harness.js';
import {
  eventsOf,
  RESPONSE_TOOLS,
  RESPONSES,
  type ResponsesHarness,
  startResponsesHarness,
} from './responses-harness.js';

describe.each(ADAPTERS)('streams of the Responses API, %s', (_name, redis) => {
  let harness: ResponsesHarness;

  beforeAll(async () => {
    harness = await startResponsesHarness({ redis });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('streams the events of items as OpenAI, numbered without a gap', async () => {
    harness.upstream.script({ steps: [{ text: 'Let me ' }, { text: 'look' }, ...WEATHER_CALL] });
    const { text, headers } = await harness.respond({ input: 'weather?', tools: RESPONSE_TOOLS, stream: true });
    const events = eventsOf(text);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1])).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const last = events.at(-1) as OpenAI.Responses.ResponseCompletedEvent;
    expect((await harness.read('GET', last.response.id)).body).toEqual(last.response);
    expect(headers.get('x-ratelimit-limit-requests')).not.toBeNull();
  });

  it('ends each item once, also a call without arguments and text around calls', async () => {
    const call = (index: number, id: string, args: string): Step => ({
      call: { index, id, name: 'get_weather', args },
    });
    harness.upstream.script({
      steps: [
        ...[{ text: 'a' }, call(0, 'call_a', ''), { text: '\n' }, call(1, 'call_b', '{"city":"Bogor"}')],
        ...[{ finish: 'tool_calls' }, { done: true as const }],
      ],
    });
    const { text } = await harness.respond({ input: 'weather?', tools: RESPONSE_TOOLS, stream: true });
    const events = eventsOf(text);
    const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
    const last = events.at(-1) as OpenAI.Responses.ResponseCompletedEvent;
    expect(done).toEqual(last.response.output);
    expect(done).toMatchObject([
      { type: 'message', content: [{ text: 'a\n' }] },
      { type: 'function_call', call_id: 'call_a', arguments: '{}' },
      { type: 'function_call', call_id: 'call_b', arguments: '{"city":"Bogor"}' },
    ]);
    const types = events.map(({ type }) => type);
    const lastDelta = types.findLastIndex((type) => type.endsWith('.delta'));
    expect(lastDelta).toBeLessThan(types.indexOf('response.output_item.done'));
    expect((await harness.read('GET', last.response.id)).body).toEqual(last.response);
    expect(eventsOf((await harness.read('GET', `${last.response.id}?stream=true`)).text)).toEqual(events);
  });

  it('ends a stream with response.failed when the provider fails, free of quota', async () => {
    const member = await harness.caller();
    harness.upstream.script({ status: 400, body: '{"error":{"message":"no"}}' });
    const { text } = await harness.post(member.key, { model: MODEL, input: 'x', stream: true }, {}, RESPONSES);
    const last = eventsOf(text).at(-1) as OpenAI.Responses.ResponseFailedEvent;
    expect(last).toMatchObject({ type: 'response.failed', response: { status: 'failed', output: [] } });
    expect(last.response.error!.code).toMatch(/^provider_/);
    expect((await harness.read('GET', last.response.id, member.key)).body).toEqual(last.response);
    expect(await harness.usedBy(member)).toBe(0);
  });

  it('runs on without a reader, and resumes after an event', async () => {
    harness.upstream.script({ steps: textAnswer('one two three four five six seven eight'), pace: 100 });
    const { id, last } = await harness.leave({ input: 'count' }, (seen) => seen >= 5);
    const { text } = await harness.read('GET', `${id}?stream=true&starting_after=${last}`);
    const events = eventsOf(text);
    expect(events[0]!.sequence_number).toBe(last + 1);
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
    const all = eventsOf((await harness.read('GET', `${id}?stream=true`)).text);
    expect(all.slice(last + 1)).toEqual(events);
    const beyond = await harness.read('GET', `${id}?stream=true&starting_after=9999`);
    expect([beyond.status, errorIn(beyond.body).param]).toEqual([400, 'starting_after']);
    await waitUntil('the end of the log', async () => (await harness.read('GET', `${id}?stream=true`)).status === 400);
    expect(errorIn((await harness.read('GET', `${id}?stream=true`)).body).code).toBe('stream_expired');
    expect((await harness.read('GET', id)).body).toMatchObject({ status: 'completed' });
  });

  it('stops a stored stream that has no reader', async () => {
    const timings = harness.app.get<Timings>(TIMINGS);
    const { unreadResponse } = timings;
    timings.unreadResponse = 1_000;
    const { id } = await harness.leave({}, (seen) => seen >= 5);
    timings.unreadResponse = unreadResponse;
    await harness.upstream.callsOf().at(-1)!.closed;
    await waitUntil('the stored end', async () => {
      const { body } = await harness.read('GET', id);
      return (body as ResponseObject).status === 'failed';
    });
  });

  it('stops a stream that is not stored when its client disconnects', async () => {
    await harness.leave({ store: false }, (seen) => seen >= 5);
    await harness.upstream.callsOf().at(-1)!.closed;
  });

  it('stops a running response that is deleted', async () => {
    const { id } = await harness.leave({}, (seen) => seen >= 5);
    expect((await harness.read('DELETE', id)).body).toEqual({ id, object: 'response', deleted: true });
    await harness.upstream.callsOf().at(-1)!.closed;
    expect([(await harness.read('GET', id)).status, (await harness.read('DELETE', id)).status]).toEqual([404, 404]);
  });
});
