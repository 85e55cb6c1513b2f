import type { ProviderEvent } from '../../provider.js';
import { CompletionDecoder } from './completion-decoder.js';

/** What a server sends that others do not, and what it means. The table in docs/dialects.md has a row for each. */
interface Server {
  name: string;
  stream: string;
  text?: string;
  reasoning?: string;
  /** The last reason, or the code of the failure. */
  end: string;
  usage?: [prompt: number, completion: number];
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: object, choice: object = {}, more: object = {}): string =>
  data({
    ...{ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta, finish_reason: null, ...choice }],
    ...more,
  });
const END = chunk({}, { finish_reason: 'stop' });
const DONE = 'data: [DONE]\n\n';
const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

const SERVERS: readonly Server[] = [
  {
    name: 'OpenAI: usage after the end, padding against eavesdroppers',
    stream:
      chunk(
        { role: 'assistant', content: '', refusal: null },
        { logprobs: null },
        { usage: null, obfuscation: 'aB3' },
      ) +
      chunk({ content: 'Hello.' }, { logprobs: null }, { usage: null, obfuscation: 'x' }) +
      END +
      data({ id: 'x', choices: [], usage: { ...USAGE, completion_tokens_details: { reasoning_tokens: 1 } } }) +
      DONE,
    ...{ text: 'Hello.', end: 'stop', usage: [7, 3] },
  },
  {
    name: 'OpenRouter: comments, reasoning twice, the reason of the model behind it',
    stream:
      ': OPENROUTER PROCESSING\n\n' +
      chunk({
        ...{ role: 'assistant', content: '', reasoning: 'Hm.' },
        reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', index: 0, format: 'unknown' }],
      }) +
      chunk({ content: 'Hello.' }, { native_finish_reason: null }) +
      chunk({ content: '' }, { finish_reason: 'stop', native_finish_reason: 'STOP' }) +
      DONE,
    ...{ text: 'Hello.', reasoning: 'Hm.', end: 'stop' },
  },
  {
    name: 'OpenRouter: an error within the stream',
    stream:
      chunk({ content: 'Hel' }) +
      chunk({ content: '' }, { finish_reason: 'error' }, { error: { code: 502, message: 'Provider returned error' } }),
    ...{ text: 'Hel', end: 'provider_error' },
  },
  {
    name: 'Azure: an event of its filter before the answer, and results of it beside each text',
    stream:
      data({ choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }], model: '' }) +
      chunk({ content: 'Hello.' }, { content_filter_results: { hate: { filtered: false, severity: 'safe' } } }) +
      chunk({}, { finish_reason: 'stop', content_filter_results: {} }) +
      DONE,
    ...{ text: 'Hello.', end: 'stop' },
  },
  {
    name: 'vLLM: usage with each text, reasoning under its own name',
    stream:
      chunk({ reasoning_content: 'Hm.' }, {}, { usage: { prompt_tokens: 7, completion_tokens: 1 } }) +
      chunk({ content: 'Hello.' }, { stop_reason: null }, { usage: USAGE }) +
      chunk({ content: '' }, { finish_reason: 'stop', stop_reason: null }) +
      DONE,
    ...{ text: 'Hello.', reasoning: 'Hm.', end: 'stop', usage: [7, 3] },
  },
  {
    name: 'vLLM: an error as an event, then [DONE]',
    stream:
      chunk({ content: 'Hel' }) +
      data({ object: 'error', message: 'EngineCore died', type: 'InternalServerError', param: null, code: 500 }) +
      DONE,
    ...{ text: 'Hel', end: 'provider_error' },
  },
  {
    name: 'Ollama: reasoning beside an empty text',
    stream:
      chunk({ role: 'assistant', content: '', reasoning: 'Hm.' }) +
      chunk({ role: 'assistant', content: 'Hello.' }) +
      chunk({ role: 'assistant', content: '' }, { finish_reason: 'stop' }) +
      DONE,
    ...{ text: 'Hello.', reasoning: 'Hm.', end: 'stop' },
  },
  {
    name: 'Ollama: an error as a text',
    stream: chunk({ content: 'Hel' }) + data({ error: 'llama runner process has terminated' }),
    ...{ text: 'Hel', end: 'provider_error' },
  },
  {
    name: 'llama.cpp: an error as a field of the stream',
    stream: chunk({ content: 'Hel' }) + 'error: {"code":500,"message":"context shift is disabled","type":"x"}\n\n',
    ...{ text: 'Hel', end: 'provider_error' },
  },
  {
    name: 'llama.cpp: timings with the end',
    stream:
      chunk({ content: 'Hello.' }) +
      chunk({}, { finish_reason: 'stop' }, { usage: USAGE, timings: { prompt_n: 7, predicted_ms: 3 } }) +
      DONE,
    ...{ text: 'Hello.', end: 'stop', usage: [7, 3] },
  },
  {
    name: 'LM Studio: a refusal within a stream with status 200',
    stream: 'event: error\ndata: {"error":{"message":"Error rendering prompt with jinja template"}}\n\n',
    end: 'provider_refused',
  },
  {
    name: 'Gemini: names of reasons in capitals, a list of errors',
    stream: chunk(
      { content: 'Hel', extra_content: { google: { thought_signature: 'x' } } },
      { finish_reason: 'MAX_TOKENS' },
    ),
    ...{ text: 'Hel', end: 'length' },
  },
  {
    name: 'Gemini: an error in a list',
    stream: data([{ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }]),
    end: 'provider_error',
  },
  {
    name: 'Mistral: reasoning and text as parts, a length of the model',
    stream:
      chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }) +
      chunk({ content: [{ type: 'text', text: 'Hello.' }] }) +
      chunk({ content: '' }, { finish_reason: 'model_length' }, { usage: USAGE }) +
      DONE,
    ...{ text: 'Hello.', reasoning: 'Hm.', end: 'length', usage: [7, 3] },
  },
  {
    name: 'Databricks: a summary of the reasoning as a part',
    stream:
      chunk({ content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }] }) +
      chunk({ content: [{ type: 'text', text: 'Hello.' }] }) +
      END +
      DONE,
    ...{ text: 'Hello.', reasoning: 'Hm.', end: 'stop' },
  },
  {
    name: 'Bedrock by a gateway: the text of the reasoning in an object',
    stream: chunk({ reasoning_content: { text: 'Hm.' } }) + chunk({ content: 'Hello.' }) + END + DONE,
    ...{ text: 'Hello.', reasoning: 'Hm.', end: 'stop' },
  },
  {
    name: 'Open WebUI: a finish reason before the answer',
    stream:
      chunk({ content: '' }, { finish_reason: 'stop' }) +
      chunk({ reasoning_content: 'Hm.' }) +
      chunk({ content: 'Hello.' }) +
      END +
      DONE,
    ...{ text: 'Hello.', reasoning: 'Hm.', end: 'stop' },
  },
  {
    name: 'DeepSeek: keep-alive comments, null beside the reasoning',
    stream:
      ': keep-alive\n\n' +
      chunk({ role: 'assistant', content: null, reasoning_content: 'Hm.' }) +
      chunk({ content: 'Hello.', reasoning_content: null }) +
      chunk({ content: '', reasoning_content: null }, { finish_reason: 'stop' }, { usage: USAGE }) +
      DONE,
    ...{ text: 'Hello.', reasoning: 'Hm.', end: 'stop', usage: [7, 3] },
  },
  {
    name: 'DeepSeek: an end for want of room on its servers',
    stream:
      chunk({ content: 'Hel' }) + chunk({ content: '' }, { finish_reason: 'insufficient_system_resource' }) + DONE,
    ...{ text: 'Hel', end: 'provider_error' },
  },
  {
    name: 'Groq: usage under its own name',
    stream:
      chunk({ role: 'assistant', content: '' }, {}, { x_groq: { id: 'req_1' } }) +
      chunk({ content: 'Hello.' }) +
      chunk({}, { finish_reason: 'stop' }, { x_groq: { id: 'req_1', usage: USAGE } }) +
      DONE,
    ...{ text: 'Hello.', end: 'stop', usage: [7, 3] },
  },
  {
    name: 'Groq: a call that it could not read',
    stream: data({
      error: { message: 'Failed to call a function.', type: 'invalid_request_error', code: 'tool_use_failed' },
    }),
    end: 'provider_refused',
  },
  {
    name: 'Perplexity: the text so far beside each piece',
    stream:
      ['Hel', 'lo.']
        .map((content, at) =>
          chunk({ content }, { message: { role: 'assistant', content: ['Hel', 'Hello.'][at] } }, { usage: USAGE }),
        )
        .join('') + chunk({ content: '' }, { finish_reason: 'stop', message: { content: 'Hello.' } }, { usage: USAGE }),
    ...{ text: 'Hello.', end: 'stop', usage: [7, 3] },
  },
  {
    name: 'Gemini by OpenRouter: a picture alone, which a chat cannot show',
    stream:
      chunk({ content: '', images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] }) +
      END +
      DONE,
    end: 'provider_error',
  },
];

it.each(SERVERS)('$name', ({ stream, text = '', reasoning = '', end, usage }) => {
  const decoder = new CompletionDecoder();
  const events: ProviderEvent[] = [...decoder.push(Buffer.from(stream)), ...decoder.end()];
  const joined = (type: string): string =>
    events.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('');
  const last = events.at(-1);
  expect({
    text: joined('text-delta'),
    reasoning: joined('reasoning-delta'),
    end: decoder.failure?.code ?? (last?.type === 'finish' ? last.reason : null),
  }).toEqual({ text, reasoning, end });
  const reported = events.find((event) => event.type === 'usage');
  expect(reported && [reported.promptTokens, reported.completionTokens]).toEqual(usage);
});
