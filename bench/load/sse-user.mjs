import { connect } from 'node:net';
import { eachStamp, now, STAMP_LENGTH } from './stamp.mjs';

const DONE = Buffer.from('[DONE]');

/** Client of an OpenAI-compatible endpoint on one keep-alive connection. */
export class SseUser {
  #tail = null;
  #received = 0;
  #askedAt = 0;
  #tokens = 0;
  isOpen = false;
  onEnd = () => undefined;

  /** @param target { port, path, keys: one for each user } */
  constructor(target, index, meter, onOpen) {
    this.target = target;
    this.meter = meter;
    this.key = target.keys?.[index % target.keys.length] ?? 'none';
    this.socket = connect({ port: target.port, host: '127.0.0.1', noDelay: true });
    this.socket.on('connect', () => {
      this.isOpen = true;
      onOpen?.(this);
    });
    this.socket.on('data', (bytes) => this.#receive(bytes));
    this.socket.on('error', (error) => meter.fail(String(error)));
    this.socket.on('close', () => this.isOpen && meter.fail('the server closed a connection'));
  }

  /** @param tools definitions that the request passes on */
  ask({ tokens, tps, words, tools }) {
    const body = JSON.stringify({
      model: 'openai/gpt-4o-mini',
      stream: true,
      messages: [{ role: 'user', content: words ?? `tokens=${tokens} tps=${tps}` }],
      tools,
    });
    this.#received = 0;
    this.#tokens = tokens;
    this.#askedAt = now();
    this.socket.write(
      `POST ${this.target.path} HTTP/1.1\r\nHost: 127.0.0.1:${this.target.port}\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${this.key}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }

  close() {
    this.isOpen = false;
    this.socket.destroy();
  }

  #receive(bytes) {
    this.meter.bytes += bytes.length;
    this.meter.events += 1;
    const data = this.#tail === null ? bytes : Buffer.concat([this.#tail, bytes]);
    this.#tail = null;
    const readAt = now();
    const found = eachStamp(data, 0, data.length, (writtenAt) => {
      this.meter.token(writtenAt, readAt, this.#askedAt, this.#received === 0);
      this.#received += 1;
    });
    if (data.includes(DONE)) return this.#ended();
    if (found === 0 && this.#received === 0 && data.includes('"error"')) this.meter.fail(data.latin1Slice(0));
    const open = data.lastIndexOf('|');
    if (open >= 0 && data.length - open < STAMP_LENGTH) this.#tail = data.subarray(open);
  }

  #ended() {
    if (this.#received !== this.#tokens) this.meter.short += 1;
    this.meter.answers += 1;
    setImmediate(() => this.onEnd(this));
  }
}
