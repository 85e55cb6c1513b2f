import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import {
  askedText,
  bytesOf,
  completionOf,
  defaultScript,
  type EchoOptions,
  type Route,
  type Script,
  type Step,
  COMPRESSORS,
} from './scripted-answers.js';

export interface Call {
  route: Route;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  bytesSent: number;
  /** Status of the response; 0 before it begins. */
  status: number;
  /** Whether the response was written to its end. */
  finished: boolean;
  /** Time at which the request was read, by performance.now(). */
  startedAt: number;
  /** Time at which the response or its connection closed, by performance.now(); null before. */
  closedAt: number | null;
  closed: Promise<void>;
}

export interface ScriptedUpstream {
  /** The base URL, `/v1` included. */
  url: string;
  calls: Call[];
  /** Queues responses for the next calls; a call without one gets the default. */
  script(...scripts: Script[]): void;
  /** Drops the scripts that no call has taken. */
  dropScripts(): void;
  /** Queues a response that is held back, headers included. @returns releases it */
  hold(script: Script): () => void;
  /** Queues an answer that is held back after its text. @returns sends the other steps, ` and ends` by default */
  holdAfter(text: string, rest?: Step[]): () => void;
  /** Calls of a route, chat by default. */
  callsOf(route?: Route): Call[];
  openSockets(): number;
  close(): Promise<void>;
}

const LAST_STEPS: Step[] = [{ text: ' and ends' }, { finish: 'stop' }, { done: true }];

interface Options extends EchoOptions {
  port?: number;
  /** Bytes of the largest body that is parsed, all by default. Of a larger one only `stream` is read, which takes no time. */
  parsesUpTo?: number;
  /** Chooses a response by the prompt, before queued scripts and the default. */
  choose?: (text: string, body: Record<string, unknown>) => Script | undefined;
}

/**
 * Starts an OpenAI-compatible server with scripted responses and faults. The default response echoes the last user
 * message and appends counted words. A message sets options with `[[words=500 pace=20]]`; `stall=N` and `cut=N` apply
 * after N words, and `status=N` fails the call.
 */
export async function startUpstream(options: Options = {}): Promise<ScriptedUpstream> {
  const queue: Script[] = [];
  const calls: Call[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, options.parsesUpTo ?? Infinity);
    const call = record(request, response, body as Record<string, unknown>);
    calls.push(call);
    const chosen = options.choose?.(askedText(call.body), call.body);
    if (chosen !== undefined && (chosen.on ?? 'chat') === call.route) return play(chosen, call, response);
    const at = queue.findIndex((script) => (script.on ?? 'chat') === call.route);
    const script = at < 0 ? defaultScript(call.route, call.body, options) : queue.splice(at, 1)[0];
    await play(script ?? {}, call, response);
  }

  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls,
    script: (...scripts) => void queue.push(...scripts),
    dropScripts: () => void queue.splice(0),
    hold: (script) => {
      const [after, release] = gate();
      queue.push({ ...script, after });
      return release;
    },
    holdAfter: (text, rest = LAST_STEPS) => {
      const [wait, release] = gate();
      queue.push({ steps: [{ text }, { wait }, ...rest] });
      return release;
    },
    callsOf: (route = 'chat') => calls.filter((call) => call.route === route),
    openSockets: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function gate(): [opened: Promise<void>, open: () => void] {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return [opened, open];
}

function record(request: IncomingMessage, response: ServerResponse, body: Record<string, unknown>): Call {
  const path = request.url ?? '/';
  const call: Call = {
    route: routeOf(path),
    method: request.method ?? '',
    path,
    headers: request.headers,
    body,
    bytesSent: 0,
    status: 0,
    finished: false,
    startedAt: performance.now(),
    closedAt: null,
    closed: once(response, 'close').then(() => {
      call.closedAt = performance.now();
    }),
  };
  return call;
}

function routeOf(address: string): Route {
  const [path = ''] = address.split('?', 1);
  if (path.endsWith('/chat/completions')) return 'chat';
  if (path.endsWith('/images/generations')) return 'images';
  if (path.endsWith('/embeddings')) return 'embeddings';
  if (path.endsWith('/audio/transcriptions')) return 'transcriptions';
  if (path.endsWith('/models')) return 'models';
  return path.endsWith('/key') ? 'key' : 'other';
}

async function play(script: Script, call: Call, response: ServerResponse): Promise<void> {
  if (script.delay) await pause(script.delay);
  await script.after;
  if ([script.status, script.body, script.base64Body].some((given) => given !== undefined)) {
    return sendWhole(script, call, response);
  }
  if (call.body['stream'] !== true) return sendJson(response, completionOf(script.steps ?? []), call);
  call.status = 200;
  const encoding = script.encoding && { 'content-encoding': script.encoding };
  response.writeHead(200, { 'content-type': 'text/event-stream', ...encoding, ...script.headers });
  const compressor = script.encoding === undefined ? null : COMPRESSORS[script.encoding]();
  compressor?.pipe(response);
  response.flushHeaders();
  do {
    for (const step of script.steps ?? []) {
      if (response.destroyed) return;
      if ('stall' in step) return;
      if ('cut' in step) return void response.socket?.resetAndDestroy();
      if ('wait' in step) await (typeof step.wait === 'number' ? pause(step.wait) : step.wait);
      else if (compressor !== null) await flushed(compressor, bytesOf(step, '\n'));
      else await write(bytesOf(step, script.lineEnd ?? '\n'), script, call, response);
      if (script.pace && 'text' in step) await pause(script.pace);
    }
    await turn();
  } while (script.endless && !response.destroyed);
  call.finished = !response.destroyed;
  (compressor ?? response).end();
}

type Compressor = ReturnType<(typeof COMPRESSORS)[keyof typeof COMPRESSORS]>;

/** Compresses bytes so that their receiver can read them at once. */
const flushed = (compressor: Compressor, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    compressor.write(bytes);
    compressor.flush(resolve);
  });

async function write(bytes: Buffer, script: Script, call: Call, response: ServerResponse): Promise<void> {
  const size = script.bytesPerWrite ?? bytes.length;
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    const part = bytes.subarray(at, at + size);
    call.bytesSent += part.length;
    const free = response.write(part);
    if (script.bytesPerWrite) await turn();
    if (!free) await drained(response);
  }
}

/** Sleeps on a timer that does not keep the process alive. */
function pause(milliseconds: number): Promise<void> {
  return sleep(milliseconds, undefined, { ref: false });
}

/** Waits for backpressure to end, or for the connection to close. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

function sendWhole(script: Script, call: Call, response: ServerResponse): void {
  const text = script.body ?? JSON.stringify({ error: { message: 'scripted', code: script.status } });
  const body = script.base64Body === undefined ? Buffer.from(text) : Buffer.from(script.base64Body, 'base64');
  call.status = script.status ?? 200;
  const encoding = script.encoding && { 'content-encoding': script.encoding };
  response.writeHead(call.status, { 'content-type': 'application/json', ...encoding, ...script.headers });
  call.bytesSent += body.length;
  call.finished = true;
  if (script.encoding === undefined) return void response.end(body);
  const compressor = COMPRESSORS[script.encoding]();
  compressor.pipe(response);
  compressor.end(body);
}

function sendJson(response: ServerResponse, value: unknown, call?: Call): void {
  if (call) call.finished = true;
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** The body as JSON; a form becomes an object of its fields, and its file one of name, type and size. */
async function readBody(request: IncomingMessage, parsesUpTo: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    const values = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : sizedFile(value)]);
    return Object.fromEntries(values);
  }
  if (bytes.length > parsesUpTo) return { stream: bytes.includes('"stream":true') };
  const text = bytes.toString();
  return text === '' ? {} : JSON.parse(text);
}

const sizedFile = ({ name, type, size }: File): object => ({ name, type, size });
