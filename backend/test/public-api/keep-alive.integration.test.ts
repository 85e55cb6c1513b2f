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

const COMMENT = ': keep-alive\n\n';

/** Reads until a text. @returns all that was read */
async function readUntil(body: ReadableStream<Uint8Array>, text: string): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let read = ''; ;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`${text} is missing in ${read}`);
    read += decoder.decode(value, { stream: true });
    if (!read.includes(text)) continue;
    // A branch of a stream that was divided is cancelled only together with the other one.
    void reader.cancel();
    return read;
  }
}

describe('a stream of the public API, while its model reasons', () => {
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

  /** Makes the next answer reason until the client has received a comment. @returns the client's `fetch` */
  function reasonUntilComment(...steps: Step[]): { fetch: typeof fetch; begun: Promise<string> } {
    let begin!: (read: Promise<string>) => void;
    const begun = new Promise<string>((resolve) => (begin = resolve));
    harness.upstream.script({ steps: [{ reasoning: 'hm' }, { wait: begun }, ...steps] });
    return {
      begun,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const [seen, body] = response.body!.tee();
        begin(readUntil(seen, COMMENT));
        return new Response(body, response);
      },
    };
  }

  const openAi = (options: { fetch: typeof fetch }): OpenAI =>
    new OpenAI({ apiKey: caller.key, baseURL, maxRetries: 0, fetch: options.fetch });

  it('begins with the role, before the text, and gets comments', async () => {
    const reasoning = reasonUntilComment(...HELLO);
    const stream = await openAi(reasoning).chat.completions.create({ ...ask('x'), stream: true });
    expect(await reasoning.begun).toMatch(
      /^data: \{[^\n]*"delta":\{"role":"assistant","content":""\}[^\n]*\n\ndata: \{[^\n]*"delta":\{"reasoning[^\n]*\n\n: keep-alive\n/,
    );
    let text = '';
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    expect(text).toBe('Hello there');
  });

  it('gets comments between the events of a response', async () => {
    const reasoning = reasonUntilComment(...HELLO);
    const response = await openAi(reasoning).responses.stream({ model: MODEL, input: 'x' }).finalResponse();
    expect(await reasoning.begun).toMatch(/^event: response\.created\n/);
    expect(response.output_text).toBe('Hello there');
  });

  it('is read by LangChain and the AI SDK', async () => {
    const configuration = { baseURL, fetch: reasonUntilComment(...HELLO).fetch };
    const chat = new ChatOpenAI({ model: MODEL, apiKey: caller.key, maxRetries: 0, configuration });
    let text = '';
    for await (const { content } of await chat.stream('x')) text += content as string;
    const tanya = createOpenAICompatible({
      name: 'tanya',
      apiKey: caller.key,
      baseURL,
      fetch: reasonUntilComment(...HELLO).fetch,
    });
    const { textStream } = streamText({ model: tanya(MODEL), prompt: 'x', maxRetries: 0 });
    let other = '';
    for await (const delta of textStream) other += delta;
    expect([text, other]).toEqual(['Hello there', 'Hello there']);
  });

  it('ends with an error event when the model fails after it began', async () => {
    const reasoning = reasonUntilComment({ error: { code: 402, message: 'x' } });
    const stream = await openAi(reasoning).chat.completions.create({ ...ask('x'), stream: true });
    const texts: unknown[] = [];
    const read = async () => {
      for await (const { choices } of stream) texts.push(choices[0]!.delta.content);
    };
    expect(await failureOf(read())).toMatchObject({ code: 'provider_credit', type: 'provider_error' });
    expect(texts).toEqual(['']);
  });
});
