import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { streamText } from 'ai';
import OpenAI from 'openai';
import type { Step } from '../harness/scripted-answers.js';
import { textAnswer } from './client-cases.js';
import {
  ask,
  type Caller,
  failureOf,
  MODEL,
  type PublicApiHarness,
  startPublicApiHarness,
} from './public-api-harness.js';

const HELLO = textAnswer('Hello there');

/** What a silent stream of chat completions sends. */
const EMPTY = /^data: \{[^\n]*"choices":\[\{"index":0,"delta":\{\},"finish_reason":null\}\][^\n]*\n\n/m;

/** What a silent stream of a response sends, after the two events that begin it. */
const IN_PROGRESS = /(event: response\.in_progress\n[^]*){2}/;

/** Reads until a pattern. @returns all that was read */
async function readUntil(body: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let read = ''; ;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`${String(pattern)} is missing in ${read}`);
    read += decoder.decode(value, { stream: true });
    if (!pattern.test(read)) continue;
    // A branch of a stream that was divided is cancelled only together with the other one.
    void reader.cancel();
    return read;
  }
}

describe('a stream of the public API, while its model is silent', () => {
  let harness: PublicApiHarness;
  let caller: Caller;
  let baseURL: string;

  beforeAll(async () => {
    harness = await startPublicApiHarness({ redis: false, timings: { keepAlive: 40 } });
    caller = await harness.caller();
    baseURL = `${harness.url}/api/v1`;
  });

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  /** Makes the next answer wait until the client has received a pattern. @returns the client's `fetch` */
  function waitFor(
    pattern: RegExp,
    { before = [{ reasoning: 'hm' }], after }: { before?: Step[]; after: Step[] },
  ): { fetch: typeof fetch; begun: Promise<string> } {
    let begin!: (read: Promise<string>) => void;
    const begun = new Promise<string>((resolve) => (begin = resolve));
    harness.upstream.script({ steps: [...before, { wait: begun }, ...after] });
    return {
      begun,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const [seen, body] = response.body!.tee();
        begin(readUntil(seen, pattern));
        return new Response(body, response);
      },
    };
  }

  const openAi = (options: { fetch: typeof fetch }): OpenAI =>
    new OpenAI({ apiKey: caller.key, baseURL, maxRetries: 0, fetch: options.fetch });

  it('begins with the role, before the text, and gets chunks with an empty delta', async () => {
    const reasoning = waitFor(EMPTY, { after: HELLO });
    const stream = await openAi(reasoning).chat.completions.create({ ...ask('x'), stream: true });
    expect(await reasoning.begun).toMatch(
      /^data: \{[^\n]*"delta":\{"role":"assistant","content":""\}[^\n]*\n\ndata: \{[^\n]*"delta":\{"reasoning[^\n]*\n\ndata: [^\n]*"delta":\{\},/,
    );
    let text = '';
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    expect(text).toBe('Hello there');
  });

  it.each<[string, Step[]]>([
    ['before its first piece', []],
    ['within its text', [{ text: 'First. ' }]],
  ])('gets chunks with an empty delta %s', async (_when, before) => {
    const silence = waitFor(before.length === 0 ? /"role":"assistant"/ : EMPTY, { before, after: HELLO });
    const stream = await openAi(silence).chat.completions.create({ ...ask('x'), stream: true });
    let text = '';
    for await (const { choices } of stream) {
      expect(choices).toHaveLength(1);
      text += choices[0]!.delta.content ?? '';
    }
    expect(text).toBe(before.length === 0 ? 'Hello there' : 'First. Hello there');
  });

  it.each<[string, boolean, Step[]]>([
    ['before its text', true, [{ reasoning: 'hm' }]],
    ['before its text', false, [{ reasoning: 'hm' }]],
    ['within its text', true, [{ text: 'First. ' }]],
    ['within its text', false, [{ text: 'First. ' }]],
  ])('gets response.in_progress %s, stored: %s', async (_when, store, before) => {
    const silence = waitFor(IN_PROGRESS, { before, after: HELLO });
    const stream = openAi(silence).responses.stream({ model: MODEL, input: 'x', store });
    const numbers: number[] = [];
    let snapshot = '';
    stream.on('event', ({ sequence_number }) => void numbers.push(sequence_number));
    stream.on('response.output_text.delta', (event) => (snapshot = event.snapshot));
    const response = await stream.finalResponse();
    expect(await silence.begun).toMatch(/^event: response\.created\n/);
    const text = before.some((step) => 'text' in step) ? 'First. Hello there' : 'Hello there';
    expect(response.output_text).toBe(text);
    expect(snapshot).toBe(text);
    expect(numbers).toEqual([...numbers.keys()]);
  });

  it('that was silent before its first piece ends with an error event when the model fails', async () => {
    const silence = waitFor(/"role":"assistant"/, { before: [], after: [{ error: { code: 402, message: 'x' } }] });
    const stream = await openAi(silence).chat.completions.create({ ...ask('x'), stream: true });
    const read = async () => {
      for await (const chunk of stream) expect(chunk.choices[0]!.delta.content ?? '').toBe('');
    };
    expect(await failureOf(read())).toMatchObject({ code: 'provider_credit', type: 'provider_error' });
  });

  it('is read by LangChain and the AI SDK', async () => {
    const configuration = { baseURL, fetch: waitFor(EMPTY, { after: HELLO }).fetch };
    const chat = new ChatOpenAI({ model: MODEL, apiKey: caller.key, maxRetries: 0, configuration });
    let text = '';
    for await (const { content } of await chat.stream('x')) text += content as string;
    const tanya = createOpenAICompatible({
      name: 'tanya',
      apiKey: caller.key,
      baseURL,
      fetch: waitFor(EMPTY, { after: HELLO }).fetch,
    });
    const { textStream } = streamText({ model: tanya(MODEL), prompt: 'x', maxRetries: 0 });
    let other = '';
    for await (const delta of textStream) other += delta;
    expect([text, other]).toEqual(['Hello there', 'Hello there']);
  });

  it('ends with an error event when the model fails after it began', async () => {
    const reasoning = waitFor(EMPTY, { after: [{ error: { code: 402, message: 'x' } }] });
    const stream = await openAi(reasoning).chat.completions.create({ ...ask('x'), stream: true });
    const texts: unknown[] = [];
    const read = async () => {
      for await (const { choices } of stream)
        if (choices[0]!.delta.content !== undefined) texts.push(choices[0]!.delta.content);
    };
    expect(await failureOf(read())).toMatchObject({ code: 'provider_credit', type: 'provider_error' });
    expect(texts).toEqual(['']);
  });
});
