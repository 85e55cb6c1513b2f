import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { randomBytes } from 'node:crypto';
import { SOCKET_PATH } from '@tanya/contract';

/** First byte of a frame that closes a WebSocket. */
const CLOSE = 0x88;

function endsWithClose(data: Buffer): boolean {
  const at = data.lastIndexOf(CLOSE);
  return at >= 0 && data[at + 1] === data.length - at - 2;
}

/** A masked frame of a WebSocket client: text, or binary. */
export function frameOf(content: Buffer, { isBinary = false, isLast = true, isContinued = false } = {}): Buffer {
  const { length } = content;
  const extended = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extended + 4);
  head[0] = (isLast ? 0x80 : 0) | (isContinued ? 0 : isBinary ? 2 : 1);
  head[1] = 0x80 | (extended === 0 ? length : extended === 2 ? 126 : 127);
  if (extended === 2) head.writeUInt16BE(length, 2);
  if (extended === 8) head.writeBigUInt64BE(BigInt(length), 2);
  // A mask of zeros leaves the content as it is.
  return Buffer.concat([head, content]);
}

export const textFrame = (text: string): Buffer => frameOf(Buffer.from(text));

/** A WebSocket of a page whose bytes the test writes itself, so that many frames arrive in one piece. */
export class RawSocket {
  private received = '';
  private readonly seen = new Set<() => void>();
  isClosed = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (data) => {
      this.received = (this.received + data.toString('latin1')).slice(-100_000);
      // The server would wait for a frame that closes too.
      if (endsWithClose(data)) this.isClosed = true;
      for (const wake of this.seen) wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
      for (const wake of this.seen) wake();
    });
  }

  /** Opens the default namespace. */
  static async open(url: string, headers: Record<string, string>): Promise<RawSocket> {
    const { hostname, port, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const opened = new RawSocket(socket);
    const key = randomBytes(16).toString('base64');
    const all = { host, upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-version': '13', ...headers };
    const lines = Object.entries({ ...all, 'sec-websocket-key': key }).map(([name, value]) => `${name}: ${value}`);
    const path = `${SOCKET_PATH}/?EIO=4&transport=websocket`;
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    await opened.until('0{"sid"');
    socket.write(textFrame('40'));
    await opened.until('40{"sid"');
    return opened;
  }

  write(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** Waits for a text in what was received, or for the end of the connection. */
  async until(text: string, timeoutMs = 30_000): Promise<'received' | 'closed'> {
    const isDone = () => this.isClosed || this.received.includes(text);
    if (!isDone()) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no ${text} in: ${this.received.slice(-500)}`)), timeoutMs);
        const wake = () => {
          if (!isDone()) return;
          clearTimeout(timer);
          this.seen.delete(wake);
          resolve();
        };
        this.seen.add(wake);
      });
    }
    return this.received.includes(text) ? 'received' : 'closed';
  }

  /** The code of the refusal, `ok`, or `closed`. */
  get answer(): string {
    const code = /"code":"(\w+)"/.exec(this.received)?.[1];
    return this.isClosed ? 'closed' : (code ?? 'ok');
  }

  close(): void {
    this.socket.destroy();
  }
}
