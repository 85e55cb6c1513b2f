import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { now, stamp } from '../load/stamp.mjs';

/**
 * An OpenAI-compatible provider whose tokens contain their time of writing. The newest message sets the answer,
 * `tokens=250 tps=50 first=0`; `size=N` sends one delta of N characters, `hold` nothing, and `call` calls a tool before
 * the answer. It uses raw TCP and one timer for
 * all streams, so that it costs little beside the server under test. With TLS_KEY and TLS_CERTIFICATE (paths of PEM files)
 * it speaks TLS.
 */
const HEAD =
  '{"id":"chatcmpl-bench0000000000000000000001","object":"chat.completion.chunk","created":1760000000,"model":"bench","service_tier":"default","system_fingerprint":"fp_bench000001","choices":[{"index":0,"delta":';
const event = (data) => `data: ${data}\n\n`;
const delta = (fields, finish = 'null') => event(`${HEAD}${fields},"logprobs":null,"finish_reason":${finish}}]}`);
const chunk = (text) => `${text.length.toString(16)}\r\n${text}\r\n`;
const OPENING =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n' +
  chunk(delta('{"role":"assistant","content":"","refusal":null}'));
const usage = (tokens) =>
  event(
    `{"id":"chatcmpl-bench0000000000000000000001","object":"chat.completion.chunk","created":1760000000,"model":"bench","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":${tokens},"total_tokens":${tokens + 10}}}`,
  );
const closing = (tokens) => `${chunk(delta('{}', '"stop"') + usage(tokens) + event('[DONE]'))}0\r\n\r\n`;

const CALL =
  chunk(
    delta(
      '{"tool_calls":[{"index":0,"id":"call_bench01","type":"function","function":{"name":"calculate","arguments":"{\\"expression\\":\\"6*7\\"}"}}]}',
    ) +
      delta('{}', '"tool_calls"') +
      usage(1) +
      event('[DONE]'),
  ) + '0\r\n\r\n';

const running = new Set();

function asked(body) {
  const { messages } = JSON.parse(body);
  const text = messages.findLast(({ role }) => role === 'user').content;
  const words = typeof text === 'string' ? text : '';
  const number = (name, fallback) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(words)?.[1] ?? fallback);
  return {
    tokens: number('tokens', 250),
    tps: number('tps', 50),
    first: number('first', 0),
    size: number('size', 0),
    holds: /\bhold\b/.test(words),
    calls: /\bcall\b/.test(words) && messages.at(-1).role === 'user',
  };
}

function begin(socket, body) {
  const { tokens, tps, first, size, holds, calls } = asked(body);
  socket.write(OPENING, 'latin1');
  if (holds) return;
  if (calls) return void socket.write(CALL, 'latin1');
  if (size > 0) {
    socket.write(chunk(delta(`{"content":"${'x'.repeat(size)}"}`)) + closing(1), 'latin1');
    return;
  }
  const stream = { socket, tokens, sent: 0, gap: tps > 0 ? 1_000_000 / tps : 0, next: now() + first * 1000 };
  socket.stream = stream;
  running.add(stream);
  write(stream, now());
}

/** Writes all due tokens; a stream without a rate writes until backpressure. */
function write(stream, time) {
  const { socket } = stream;
  while (stream.next <= time && !(stream.gap === 0 && socket.writableNeedDrain)) {
    if (stream.sent >= stream.tokens) {
      socket.write(closing(stream.tokens), 'latin1');
      running.delete(stream);
      socket.stream = null;
      return;
    }
    socket.write(chunk(delta(`{"content":"${stamp()}"}`)), 'latin1');
    stream.sent += 1;
    stream.next += stream.gap;
  }
}

/** Parses the next complete request of a connection; null while it is incomplete. */
function request(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = Number(/content-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  const whole = end + 4 + length;
  return text.length < whole ? null : { body: text.slice(end + 4, whole), rest: text.slice(whole) };
}

function serve(socket) {
  let unread = '';
  socket.on('error', () => undefined);
  socket.on('close', () => socket.stream && running.delete(socket.stream));
  socket.on('data', (bytes) => {
    unread += bytes.toString('latin1');
    for (let next = request(unread); next !== null; next = request(unread)) {
      unread = next.rest;
      if (next.body !== '') begin(socket, next.body);
      else socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"data":[]}');
    }
  });
}

const { TLS_KEY, TLS_CERTIFICATE } = process.env;
const server = TLS_KEY
  ? createTlsServer({ noDelay: true, key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERTIFICATE) }, serve)
  : createServer({ noDelay: true }, serve);

setInterval(() => {
  const time = now();
  for (const stream of running) write(stream, time);
}, 1);

server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
