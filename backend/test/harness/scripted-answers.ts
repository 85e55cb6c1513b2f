/** One thing that a streamed answer does. */
export type Step =
  | { text: string }
  | { reasoning: string; field?: 'reasoning' | 'reasoning_content' }
  | { usage: { prompt: number; completion: number } }
  | { finish: string }
  | { done: true }
  /** An error object as an event of the stream. */
  | { error: unknown }
  /** A chunk of any shape. */
  | { chunk: unknown }
  /** Bytes as they are, without framing; `base64` for what is no text. */
  | { raw: string }
  | { base64: string }
  /** Silence for some milliseconds, or until the promise settles; `stall` never ends. */
  | { wait: number | Promise<unknown> }
  | { stall: true }
  /** The connection is reset. */
  | { cut: true };

/** How one call is answered. */
export interface Script {
  /** Which calls it is for; chat by default. */
  on?: Route;
  /** With a status or a body of its own the call is answered at once and whole. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** The same for bytes that are no text. */
  base64Body?: string;
  /** Milliseconds before the headers. */
  delay?: number;
  steps?: Step[];
  /** Milliseconds between two text steps. */
  pace?: number;
  /** Writes of this many bytes each, wherever that cuts. */
  bytesPerWrite?: number;
  lineEnd?: '\n' | '\r\n' | '\r';
  /** Begins all over again after the last step, until somebody hangs up. */
  endless?: boolean;
}

export type Route = 'chat' | 'images' | 'models' | 'key' | 'other';

export interface EchoOptions {
  /** Words and pace of the default answer. */
  words?: number;
  pace?: number;
}

/** The smallest real PNG. */
export const PNG_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const MODELS = ['openai/gpt-4o-mini', 'scripted/small', 'scripted/large'];

/** A step as it goes over the wire. */
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

function deltaOf(step: Step): Record<string, string> {
  if ('text' in step) return { content: step.text };
  return 'reasoning' in step ? { [step.field ?? 'reasoning']: step.reasoning } : {};
}

function usageOf({ prompt, completion }: { prompt: number; completion: number }): Record<string, number> {
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/** The same answer for a call that doesn't stream. */
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

/** What a call gets that nobody has scripted. */
export function defaultScript(route: Route, body: Record<string, unknown>, options: EchoOptions): Script {
  if (route === 'models') {
    const data = MODELS.map((id) => ({ id, name: id.toUpperCase(), object: 'model', context_length: 16_384 }));
    return { body: JSON.stringify({ object: 'list', data }) };
  }
  if (route === 'images') return { body: JSON.stringify({ created: 1, data: [{ b64_json: PNG_BASE64 }] }) };
  if (route === 'key') return { body: JSON.stringify({ data: { label: 'scripted' } }) };
  return route === 'chat' ? echo(askedText(body), options) : { status: 404, body: '{}' };
}

/** What the default answer to a message is, for tests that compare. */
export function echoText(text: string, words: number): string {
  return [`You said: ${text}`, ...numbers(words)].join(' ');
}

function echo(text: string, options: EchoOptions): Script {
  const wish = new Map(
    [...(/\[\[(.*?)\]\]/.exec(text)?.[1] ?? '').matchAll(/(\w+)=(\d+)/g)].map((m) => [m[1], Number(m[2])]),
  );
  const status = wish.get('status');
  if (status !== undefined) return { status, body: JSON.stringify({ error: { message: 'scripted', code: status } }) };
  const words = numbers(wish.get('words') ?? options.words ?? 40);
  const steps: Step[] = [{ text: `You said: ${text}` }, ...words.map((word) => ({ text: ` ${word}` }))];
  const stall = wish.get('stall');
  const cut = wish.get('cut');
  if (stall !== undefined) steps.splice(stall + 1, Infinity, { stall: true });
  else if (cut !== undefined) steps.splice(cut + 1, Infinity, { cut: true });
  else steps.push({ finish: 'stop' }, { usage: { prompt: 10, completion: words.length } }, { done: true });
  return { steps, pace: wish.get('pace') ?? options.pace };
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `word${index + 1}`);
}

/** The newest thing that a call asks for: its last user message, or its picture's description. */
export function askedText(body: Record<string, unknown>): string {
  if (typeof body['prompt'] === 'string') return body['prompt'];
  const messages = (body['messages'] ?? []) as { role: string; content: string | { text?: string }[] }[];
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}
