import type { Socket as NetSocket } from 'node:net';

/** Longest text that takes the short path, bytes; also the bound of a frame's 16-bit length. */
const MAX_BYTES = 65_535;

/** The parts of a Socket.IO socket that the short path reads. */
interface ConnectedSocket {
  conn: {
    readyState: string;
    upgrading: boolean;
    writeBuffer: unknown[];
    transport: { name: string; writable: boolean; socket?: WebSocket };
  };
}

/** `ws`, whose fields with an underscore are not part of its interface: each is checked before its use. */
interface WebSocket {
  readyState?: number;
  extensions?: string;
  _socket?: NetSocket | null;
  _sender?: { _state?: number };
}

const OPEN = 1;
const IDLE = 0;

/**
 * The WebSocket frame of a Socket.IO event of the default namespace.
 * @returns null for a text that is too long for the short path
 */
export function eventFrame(event: string, args: readonly unknown[]): Buffer | null {
  // Engine.IO's type of a message and Socket.IO's type of an event.
  const text = `42${JSON.stringify([event, ...args])}`;
  const length = Buffer.byteLength(text);
  if (length > MAX_BYTES) return null;
  const head = length < 126 ? 2 : 4;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = 0x81;
  if (head === 2) frame[1] = length;
  else {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  }
  frame.write(text, head);
  return frame;
}

/**
 * Writes a frame to the TCP socket of an idle WebSocket, past the layers of Socket.IO, Engine.IO and ws. They cost more
 * than the write itself, and find nothing to do for text on a socket without a queue.
 *
 * @returns false if the frame would overtake what is queued, or if the transport is another one; nothing was written then
 */
export function writeDirectly({ conn }: ConnectedSocket, frame: Buffer): boolean {
  const { transport } = conn;
  if (transport.name !== 'websocket' || !transport.writable || conn.upgrading) return false;
  if (conn.readyState !== 'open' || conn.writeBuffer.length > 0) return false;
  const webSocket = transport.socket;
  const tcp = webSocket?._socket;
  if (!tcp || webSocket?.readyState !== OPEN || webSocket.extensions !== '') return false;
  if (webSocket._sender?._state !== IDLE || !tcp.writable || tcp.writableLength > 0) return false;
  tcp.write(frame);
  return true;
}
