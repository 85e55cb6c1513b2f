import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
/** One step of a streamed answer. */
export type Step =
  | { text: string }
  | { reasoning: string; field?: 'reasoning' | 'reasoning_content' }
  /** A piece of a call of a tool; `args` is text, or a value that is sent as JSON. */
  | { call: { index?: number; id?: string; name?: string; args?: unknown; extra?: object } }
  | { usage: ScriptedUsage }
  | { finish: string }
  | { done: true }
  /** An error object as an event of the stream. */
  | { error: unknown }
  /** A chunk of any shape. */
  | { chunk: unknown }
  /** Bytes without framing, as text or as base64. */
  | { raw: string }
  | { base64: string }
  /** A pause in ms, or until the promise settles. */
  | { wait: number | Promise<unknown> }
  /** Silence without an end. */
  | { stall: true }
  /** The connection is reset. */
  | { cut: true };

interface ScriptedUsage {
  prompt: number;
  completion: number;
  /** Part of the prompt. */
  cached?: number;
  /** Part of the completion. */
  reasoning?: number;
}

/** Response to one call. */
export interface Script {
  /** Route of the call; chat by default. */
  on?: Route;
  /** A status or a body makes the response a plain one, without a stream. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** A binary body. */
  base64Body?: string;
  /** Delay of the headers, ms. */
  delay?: number;
  /** Holds the headers back until it resolves. */
  after?: Promise<unknown>;
  steps?: Step[];
  /** Compresses a stream, flushed after each step, or a body. */
  encoding?: Encoding;
  /** Pause after each text step, ms. */
  pace?: number;
  /** Size of each write in bytes; it may split characters and lines. */
  bytesPerWrite?: number;
  lineEnd?: '\n' | '\r\n' | '\r';
  /** Repeats the steps until the client disconnects, or until a test sets it to false. */
  endless?: boolean;
}

export type Encoding = keyof typeof COMPRESSORS;

/** Compressors by Content-Encoding. */
export const COMPRESSORS = { gzip: createGzip, br: createBrotliCompress, deflate: createDeflate };

export type Route = 'chat' | 'images' | 'embeddings' | 'transcriptions' | 'models' | 'key' | 'other';

export interface EchoOptions {
  /** Words and pace of the default answer. */
  words?: number;
  pace?: number;
}

/** The smallest real PNG. */
export const PNG_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Vectors for two inputs. */
export const EMBEDDINGS = {
  object: 'list',
  data: [0, 1].map((index) => ({ object: 'embedding', index, embedding: [0.25, -0.5, index] })),
  model: 'text-embedding-scripted',
  usage: { prompt_tokens: 9, total_tokens: 9 },
};

const MODELS = ['openai/gpt-4o-mini', 'scripted/small', 'scripted/large'];

/** Encodes a step as bytes of the event stream. */
export function bytesOf(step: Step, lineEnd: string): Buffer {
  if ('raw' in step) return Buffer.from(step.raw);
  if ('base64' in step) return Buffer.from(step.base64, 'base64');
  const data = 'done' in step ? '[DONE]' : JSON.stringify(chunkOf(step));
  return Buffer.from(`data: ${data}${lineEnd}${lineEnd}`);
}

function chunkOf(step: Step): unknown {
  if ('chunk' in step) return step.chunk;
  if ('error' in step) return { error: step.error };
  const envelope = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 1, model: 'scripted' };
  if ('usage' in step) return { ...envelope, choices: [], usage: usageOf(step.usage) };
  const finish = 'finish' in step ? step.finish : null;
  return { ...envelope, choices: [{ index: 0, delta: deltaOf(step), finish_reason: finish }] };
}

function callOf({ index = 0, id, name, args, extra }: Extract<Step, { call: unknown }>['call']): unknown {
  const json = typeof args === 'string' ? args : JSON.stringify(args);
  const call = { index, ...(id !== undefined && { id, type: 'function' }), function: { name, arguments: json } };
  return extra === undefined ? call : { ...call, extra_content: extra };
}

function deltaOf(step: Step): Record<string, unknown> {
  if ('call' in step) return { tool_calls: [callOf(step.call)] };
  if ('text' in step) return { content: step.text };
  return 'reasoning' in step ? { [step.field ?? 'reasoning']: step.reasoning } : {};
}

function usageOf({ prompt, completion, cached, reasoning }: ScriptedUsage): object {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}

/** Encodes the steps as the response to a call that does not stream. */
export function completionOf(steps: Step[]): unknown {
  const content = steps.map((step) => ('text' in step ? step.text : '')).join('');
  const finish = steps.flatMap((step) => ('finish' in step ? [step.finish] : []))[0] ?? 'stop';
  const usage = steps.flatMap((step) => ('usage' in step ? [step.usage] : []))[0] ?? { prompt: 1, completion: 1 };
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
    usage: usageOf(usage),
  };
}

/** Response to a call without a script. */
export function defaultScript(route: Route, body: Record<string, unknown>, options: EchoOptions): Script {
  if (route === 'models') {
    const data = MODELS.map((id) => ({ id, name: id.toUpperCase(), object: 'model', context_length: 16_384 }));
    return { body: JSON.stringify({ object: 'list', data }) };
  }
  if (route === 'embeddings') return { body: JSON.stringify(embeddingsOf(body['encoding_format'])) };
  if (route === 'transcriptions') return transcript(body['response_format']);
  if (route === 'images') return { body: JSON.stringify({ created: 1, data: [{ b64_json: PNG_BASE64 }] }) };
  if (route === 'key') return { body: JSON.stringify({ data: { label: 'scripted' } }) };
  return route === 'chat' ? echo(askedText(body), options) : { status: 404, body: '{}' };
}

/** A transcript of each format. */
export const TRANSCRIPTS: Record<string, string> = {
  json: '{"text":"Selamat pagi.","usage":{"type":"tokens","input_tokens":14,"output_tokens":4,"total_tokens":18}}',
  verbose_json: '{"task":"transcribe","language":"indonesian","duration":1.5,"text":"Selamat pagi.","segments":[]}',
  text: 'Selamat pagi.\n',
  srt: '1\n00:00:00,000 --> 00:00:01,500\nSelamat pagi.\n',
  vtt: 'WEBVTT\n\n00:00.000 --> 00:01.500\nSelamat pagi.\n',
};

function transcript(requested: unknown): Script {
  const format = typeof requested === 'string' ? requested : 'json';
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  return { body: TRANSCRIPTS[format], ...(format.endsWith('json') ? {} : { headers }) };
}

/** The vectors as numbers, or as the base64 that OpenAI's client asks for. */
function embeddingsOf(format: unknown): unknown {
  if (format !== 'base64') return EMBEDDINGS;
  const encoded = (vector: number[]): string => Buffer.from(new Float32Array(vector).buffer).toString('base64');
  return { ...EMBEDDINGS, data: EMBEDDINGS.data.map((each) => ({ ...each, embedding: encoded(each.embedding) })) };
}

/** Text of the default answer to a message. */
export function echoText(text: string, words: number): string {
  return [`You said: ${text}`, ...numbers(words)].join(' ');
}

function echo(text: string, defaults: EchoOptions): Script {
  const options = new Map(
    [...(/\[\[(.*?)\]\]/.exec(text)?.[1] ?? '').matchAll(/(\w+)=(\d+)/g)].map((m) => [m[1], Number(m[2])]),
  );
  const status = options.get('status');
  if (status !== undefined) return { status, body: JSON.stringify({ error: { message: 'scripted', code: status } }) };
  const words = numbers(options.get('words') ?? defaults.words ?? 40);
  const steps: Step[] = [{ text: `You said: ${text}` }, ...words.map((word) => ({ text: ` ${word}` }))];
  const stall = options.get('stall');
  const cut = options.get('cut');
  if (stall !== undefined) steps.splice(stall + 1, Infinity, { stall: true });
  else if (cut !== undefined) steps.splice(cut + 1, Infinity, { cut: true });
  else steps.push({ finish: 'stop' }, { usage: { prompt: 10, completion: words.length } }, { done: true });
  return { steps, pace: options.get('pace') ?? defaults.pace };
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `word${index + 1}`);
}

/** The last user message of a call, or its image prompt. */
export function askedText(body: Record<string, unknown>): string {
  if (typeof body['prompt'] === 'string') return body['prompt'];
  const messages = (body['messages'] ?? []) as { role: string; content: string | { text?: string }[] }[];
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}
