import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponseObject } from '@tanya/contract';
import type { OpenAI } from 'openai';
import { DetachedGenerations } from '../../src/chat/generation/detached/detached-generations.js';
import { DetachedLog } from '../../src/chat/generation/detached/detached-log.js';
import { GenerationStore } from '../../src/chat/generation/store/generation-store.js';
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

const LOST = new Error('Connection terminated unexpectedly');

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
        { text: 'a' },
        call(0, 'call_a', ''),
        { text: '\n' },
        call(1, 'call_b', '{"city":"Bogor"}'),
        { finish: 'tool_calls' },
        { done: true as const },
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
    const ends = events.map((event) => (event.type === 'response.output_item.done' ? event.item.id : null));
    for (const [at, event] of events.entries())
      if ('delta' in event && 'item_id' in event) expect(at).toBeLessThan(ends.indexOf(event.item_id));
    expect((await harness.read('GET', last.response.id)).body).toEqual(last.response);
    expect(eventsOf((await harness.read('GET', `${last.response.id}?stream=true`)).text)).toEqual(events);
  });

  it('ends a stream with the error and response.failed when the provider fails, free of quota', async () => {
    const member = await harness.caller();
    harness.upstream.script({ status: 400, body: '{"error":{"message":"no"}}' });
    const { text } = await harness.post(member.key, { model: MODEL, input: 'x', stream: true }, {}, RESPONSES);
    const [error, last] = eventsOf(text).slice(-2) as [unknown, OpenAI.Responses.ResponseFailedEvent];
    expect(last).toMatchObject({ type: 'response.failed', response: { status: 'failed', output: [] } });
    expect(last.response.error!.code).toBe('invalid_prompt');
    const fields = { ...last.response.error, param: null };
    expect(error).toEqual({
      type: 'error',
      sequence_number: last.sequence_number - 1,
      ...fields,
      error: { type: 'server_error', ...fields },
    });
    expect(text).toContain('event: error\n');
    expect(eventsOf((await harness.read('GET', `${last.response.id}?stream=true`, member.key)).text).slice(-2)).toEqual(
      [error, last],
    );
    expect((await harness.read('GET', last.response.id, member.key)).body).toEqual(last.response);
    expect(await harness.usedBy(member)).toBe(0);
  });

  it('waits for the end of an answer that Postgres does not return for a moment', async () => {
    const member = await harness.caller();
    const ask = () => {
      const body = { model: MODEL, input: 'x', stream: true, store: false };
      return harness.post(member.key, body, { 'Idempotency-Key': 'once' }, RESPONSES);
    };
    harness.upstream.script({ steps: textAnswer('Hello there') });
    await ask();
    await harness.settle();
    // The retries begin after a wait for the answer that is longer than they are.
    jest.replaceProperty(harness.app.get<Timings>(TIMINGS), 'settleRetry', 10);
    const status = jest.spyOn(harness.app.get(GenerationStore), 'status').mockImplementationOnce(async () => {
      await sleep(50);
      throw LOST;
    });
    const { text } = await ask();
    expect(status).toHaveBeenCalledTimes(2);
    jest.restoreAllMocks();
    const state = { status: 'completed', output: [{ content: [{ text: 'Hello there' }] }] };
    expect(eventsOf(text).at(-1)).toMatchObject({ type: 'response.completed', response: state });
  });

  it('breaks off where its end is unknown, and resumes with it', async () => {
    const { openai } = await harness.caller();
    jest.spyOn(harness.app.get(DetachedGenerations), 'follow').mockRejectedValueOnce(LOST);
    // The log is still being written when the client resumes.
    const log = harness.app.get(DetachedLog);
    const append = log.append.bind(log);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    jest.spyOn(log, 'append').mockImplementationOnce(async (...batch) => {
      await append(...batch);
      await released;
    });
    harness.upstream.script({ steps: textAnswer('Hello there') });
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    const read = async (stream: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>) => {
      for await (const event of stream) events.push(event);
    };
    await expect(openai.responses.create({ model: MODEL, input: 'x', stream: true }).then(read)).rejects.toThrow();
    jest.restoreAllMocks();
    expect(events.map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
    const { id } = (events[0] as OpenAI.Responses.ResponseCreatedEvent).response;
    await read(await openai.responses.retrieve(id, { stream: true, starting_after: 1 }));
    release();
    const state = { status: 'completed', output: [{ content: [{ text: 'Hello there' }] }] };
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: state });
  });

  it('fails where its end is unknown and it is not stored, so that it cannot be resumed', async () => {
    jest.spyOn(harness.app.get(DetachedGenerations), 'follow').mockRejectedValueOnce(LOST);
    const { text } = await harness.respond({ input: 'x', stream: true, store: false });
    jest.restoreAllMocks();
    const last = { type: 'response.failed', response: { status: 'failed', error: { code: 'storage_unavailable' } } };
    expect(eventsOf(text).at(-1)).toMatchObject(last);
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
