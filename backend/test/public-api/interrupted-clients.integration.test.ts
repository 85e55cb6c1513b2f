import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import type { OpenAI } from 'openai';
import { ADAPTERS, FAST_TIMINGS } from '../harness/chat-harness.js';
import { echoText, EMBEDDINGS, type Step } from '../harness/scripted-answers.js';
import { audioForm } from '../harness/uploads.js';
import { WEATHER_CALL, WEATHER_SCHEMA } from './client-cases.js';
import {
  ask,
  type Caller,
  errorIn,
  MODEL,
  type PublicApiHarness,
  startPublicApiHarness,
} from './public-api-harness.js';

type Event = OpenAI.Responses.ResponseStreamEvent;

/** The fields of an event of a chat completion or a response that carry text. */
interface StreamedEvent {
  choices?: OpenAI.ChatCompletionChunk['choices'];
  type?: string;
  delta?: string;
}

const TEXT_AND_CALL: Step[] = [...['One ', 'two ', 'three. '].map((text) => ({ text })), ...WEATHER_CALL];

/** Larger than the buffers of a connection, and shorter than the longest answer. */
const LONG = '[[words=15000]]';

describe.each(ADAPTERS)('the public API, %s', (_name, redis) => {
  let harness: PublicApiHarness;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis, timings: { logFlush: 50 } });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  describe('a stored stream that is cut', () => {
    let caller: Caller;

    beforeAll(async () => {
      caller = await harness.caller({ isPremium: true });
    });

    /** Reads a new stream until an event or its end, disconnects there and reads the rest. */
    async function cutAfter(number: number): Promise<Event[]> {
      harness.upstream.script({ steps: TEXT_AND_CALL, pace: 5 });
      const stream = await caller.openai.responses.create({
        model: MODEL,
        input: 'weather?',
        stream: true,
        tools: [{ type: 'function', name: 'get_weather', parameters: WEATHER_SCHEMA, strict: false }],
      });
      const seen: Event[] = [];
      for await (const event of stream) {
        seen.push(event);
        if (event.sequence_number === number) break;
      }
      const [first] = seen;
      if (first?.type !== 'response.created') throw new Error('the stream did not begin with response.created');
      if (seen.at(-1)!.type === 'response.completed') return seen;
      const rest = await caller.openai.responses.retrieve(first.response.id, {
        stream: true,
        starting_after: number,
      });
      for await (const event of rest) seen.push(event);
      return seen;
    }

    /** The events as a client shows them; ids differ between runs. */
    const shown = (events: Event[]) => ({
      types: [...new Set(events.map(({ type }) => type))],
      numbers: events.map((event) => event.sequence_number),
      text: events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join(''),
      call: events
        .map((event) => (event.type === 'response.function_call_arguments.delta' ? event.delta : ''))
        .join(''),
      final: events.at(-1)?.type,
    });

    it('resumes without a gap or a repetition after each of its events', async () => {
      const whole = shown(await cutAfter(0));
      expect(whole).toMatchObject({
        text: 'One two three. ',
        call: '{"city":"Jakarta"}',
        final: 'response.completed',
      });
      for (let number = 1; number < whole.numbers.length - 1; number += 1) {
        const events = shown(await cutAfter(number));
        const { length } = events.numbers;
        // Deltas are joined under load, so the number of events may differ.
        expect({ ...events, numbers: [] }).toEqual({ ...whole, numbers: [] });
        expect(events.numbers).toEqual(Array.from({ length }, (_, at) => at));
      }
    });
  });

  describe('a client that stops reading', () => {
    /** Sends a request and leaves its response unread. */
    const open = (caller: Caller, path: string, body: object): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' };
        const call = httpRequest(`${harness.url}/api/v1${path}`, { method: 'POST', headers, agent: false }, resolve);
        call.on('error', reject).end(JSON.stringify(body));
      });

    const deltasIn = (raw: string, read: (event: StreamedEvent) => string | null | undefined): string =>
      raw
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => read(JSON.parse(line.slice('data: '.length)) as StreamedEvent) ?? '')
        .join('');

    it('of a chat completion does not delay its end, and reads all of it later', async () => {
      const caller = await harness.caller();
      const response = await open(caller, '/chat/completions', { ...ask(LONG), stream: true });
      await harness.upstream.callsOf().at(-1)!.closed;
      await harness.settle();
      expect(await harness.usedBy(caller)).toBe(1);
      const raw = await textOf(response);
      expect(raw.trimEnd().slice(-400)).toMatch(/data: \[DONE\]$/);
      const text = deltasIn(raw, ({ choices }) => choices?.[0]?.delta.content);
      expect(text).toBe(echoText(LONG, 15_000));
    });

    it('of a response does not delay its end, and reads all of it later', async () => {
      const caller = await harness.caller();
      const response = await open(caller, '/responses', { model: MODEL, input: LONG, stream: true });
      await harness.upstream.callsOf().at(-1)!.closed;
      await harness.settle();
      expect(await harness.usedBy(caller)).toBe(1);
      const raw = await textOf(response);
      expect(raw).toContain('event: response.completed');
      const text = deltasIn(raw, ({ type, delta }) => (type === 'response.output_text.delta' ? delta : ''));
      expect(text).toBe(echoText(LONG, 15_000));
    });
  });
});

describe('an Idempotency-Key of a request whose node crashed', () => {
  let harness: PublicApiHarness;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis: true, timings: { ...FAST_TIMINGS, nodeDead: 1_000 } });
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  /** Turns the ended generation of a key into the rows that a killed node leaves behind. */
  async function crash({ user }: Caller, key: string): Promise<void> {
    const owner = `user:${user.id}`;
    const dead = randomUUID();
    await harness.dataSource.transaction(async (manager) => {
      await manager.query(`insert into node (id, hostname, beat_at) values ($1, 'gone', now() - interval '1 hour')`, [
        dead,
      ]);
      const [[row]] = await manager.query<[[{ id: string }]]>(
        `update generation set status = 'streaming', node_id = $3, finished_at = null, answer = null
         where owner = $1 and client_message_id = $2 returning id`,
        [owner, `api:${key}`, dead],
      );
      await manager.query(`update usage_record set state = 'held' where generation_id = $1`, [row.id]);
      await manager.query(
        'update quota_account set held = held + 1, charged = charged - 1, version = version + 1 where owner = $1',
        [owner],
      );
      await manager.query('update "user" set message_count = message_count - 1 where id = $1', [user.id]);
    });
  }

  const chat = { path: '/api/v1/chat/completions', send: () => ask('Hello') };
  const embeddings = {
    path: '/api/v1/embeddings',
    send: () => ({ model: 'text-embedding-3-small', input: ['a', 'b'] }),
  };
  const transcriptions = { path: '/api/v1/audio/transcriptions', send: () => audioForm() };

  it.each([
    ['a chat completion', chat],
    ['embeddings', embeddings],
    ['a transcription', transcriptions],
  ])('of %s starts a new request after its end, charged once', async (_title, { path, send }) => {
    const caller = await harness.caller();
    const key = randomUUID();
    const post = async () => {
      const body = send();
      const headers = { Authorization: `Bearer ${caller.key}`, 'Idempotency-Key': key };
      const options = body instanceof FormData ? { raw: body, headers } : { body, headers };
      return harness.client().send<unknown>('POST', path, options);
    };
    expect((await post()).status).toBe(200);
    await crash(caller, key);
    const calls = harness.upstream.calls.length;
    // Copies that arrive before the dead node's generation is ended wait for that end.
    for (const { status, body } of await Promise.all([post(), post(), post()]))
      expect(status === 200 ? 'answered' : errorIn(body).code).toMatch(/^(answered|interrupted)$/);
    const answers = await Promise.all([post(), post(), post()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(harness.upstream.calls).toHaveLength(calls + 1);
    expect(await harness.usedBy(caller)).toBe(1);
    if (path === embeddings.path) expect(answers[0].body).toEqual(EMBEDDINGS);
  });
});
