import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { eachStamp, now } from './stamp.mjs';

const TYPE = Buffer.from('"type":"');
const ERROR = Buffer.from('"type":"error"');
const SEQ = Buffer.from('"seq":');
const EVENT = Buffer.from('generation:event');
const MODEL = 'openai/gpt-4o-mini';

/** Encodes a text frame of a client. The mask is zero, which is valid and saves the masking. */
function frame(text) {
  const body = Buffer.from(text);
  const { length } = body;
  const head = length < 126 ? Buffer.alloc(6) : Buffer.alloc(8);
  head[0] = 0x81;
  head[1] = 0x80 | Math.min(length, 126);
  if (length >= 126) head.writeUInt16BE(length, 2);
  return Buffer.concat([head, body]);
}

/**
 * One user with one socket. It implements the Engine.IO and Socket.IO protocols over TCP at a tenth of the cost of the
 * official client, so that hundreds of users on one core do not limit the measurement.
 */
export class ChatUser {
  #rest = null;
  #upgraded = false;
  #received = 0;
  #askedAt = 0;
  #prompt = null;
  isOpen = false;
  /** Callbacks for the end of an answer and for the acknowledgement of a send. */
  onEnd = () => undefined;
  onAck = () => undefined;

  /** @param target { port, cookies: one for each user } */
  constructor(target, index, meter, onOpen) {
    this.meter = meter;
    this.onOpen = onOpen;
    const cookie = target.cookies?.[index % target.cookies.length];
    this.socket = connect({ port: target.port, host: '127.0.0.1', noDelay: true });
    this.socket.on('connect', () => {
      this.socket.write(
        `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nUpgrade: websocket\r\n` +
          `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
          `${cookie ? `Cookie: ${cookie}\r\n` : ''}\r\n`,
      );
    });
    this.socket.on('data', (bytes) => this.#receive(bytes));
    this.socket.on('error', (error) => meter.fail(String(error)));
    this.socket.on('close', () => this.isOpen && meter.fail('the server closed a socket'));
  }

  /** Sends a message in a new thread. The prompt sets the answer of the provider, `tools` names the tools it may use. */
  ask({ tokens, tps, words, tools }) {
    this.#prompt = { tokens };
    this.#received = 0;
    this.#askedAt = now();
    const payload = {
      clientMessageId: randomUUID(),
      threadId: null,
      model: MODEL,
      content: { text: words ?? `tokens=${tokens} tps=${tps}` },
      ...(tools && { tools }),
    };
    this.socket.write(frame(`421["generation:start",${JSON.stringify(payload)}]`));
  }

  close() {
    this.isOpen = false;
    this.socket.destroy();
  }

  #receive(bytes) {
    this.meter.bytes += bytes.length;
    let data = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = null;
    if (!this.#upgraded) {
      const end = data.indexOf('\r\n\r\n');
      if (end < 0) return void (this.#rest = data);
      if (!data.latin1Slice(0, 16).includes(' 101')) return this.meter.fail(data.latin1Slice(0, 200));
      this.#upgraded = true;
      data = data.subarray(end + 4);
    }
    const readAt = now();
    let at = 0;
    while (at + 2 <= data.length) {
      const short = data[at + 1];
      const headLength = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (at + headLength > data.length) break;
      const length =
        short < 126 ? short : short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2));
      const from = at + headLength;
      if (from + length > data.length) break;
      this.#read(data, from, from + length, readAt);
      at = from + length;
    }
    if (at < data.length) this.#rest = data.subarray(at);
  }

  #read(data, from, to, readAt) {
    const [engine, socket] = [data[from] - 48, data[from + 1] - 48];
    if (engine === 0) this.socket.write(frame('40'));
    else if (engine === 2) this.socket.write(frame('3'));
    else if (engine === 4 && socket === 2) this.#event(data, from, to, readAt);
    else if (engine === 4 && socket === 3) this.#acked(data, from, to);
    else if (engine === 4 && socket === 0) this.#opened();
    else if (engine === 4 && socket === 4) this.meter.fail(data.latin1Slice(from, to));
  }

  #opened() {
    this.isOpen = true;
    this.onOpen?.(this);
  }

  #acked(data, from, to) {
    const isOk = data.latin1Slice(from, Math.min(to, from + 20)).includes('"ok":true');
    if (isOk) this.meter.acked(this.#askedAt);
    else this.meter.fail(data.latin1Slice(from, to));
    this.onAck(this, isOk);
  }

  #event(data, from, to, readAt) {
    if (data.compare(EVENT, 0, EVENT.length, from + 4, from + 4 + EVENT.length) !== 0) return;
    // The message of a closing event, whose parts have types too, stands before its type.
    const next = data.indexOf(',', data.indexOf(SEQ, from)) + 2;
    if (data[next] === 0x6d) return this.#ended(data, next, to);
    this.meter.events += 1;
    eachStamp(data, data.indexOf(TYPE, from), to, (writtenAt) => {
      this.meter.token(writtenAt, readAt, this.#askedAt, this.#received === 0);
      this.#received += 1;
    });
  }

  #ended(data, from, to) {
    const error = data.indexOf(ERROR, from);
    if (error >= 0 && error < to) {
      this.meter.fail(data.latin1Slice(error, to));
    } else if (this.#prompt?.tokens > 0 && this.#received !== this.#prompt.tokens) this.meter.short += 1;
    this.meter.answers += 1;
    this.onEnd(this);
  }
}
