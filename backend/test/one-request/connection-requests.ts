import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OneRequest } from './clock.js';
import { FORM_TYPE, fileInForm } from './upload-requests.js';

const MB = 2 ** 20;

/** Connections of one client that send slowly at the same time. */
const SLOW_CONNECTIONS = 50;

/** Pause between two bytes, and how long they come, ms. */
const PAUSE_MS = 20;
const SENDING_MS = 1_000;

interface Connections {
  /** Open at once. */
  count: number;
  /** Bytes that the server may hold of all together. */
  size: number;
  write: (socket: Socket) => void;
}

const headOf = (method: string, path: string, headers: Record<string, string>): string => {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
};

function byteByByte(socket: Socket): void {
  const timer = setInterval(() => socket.write('a'), PAUSE_MS);
  socket.on('close', () => clearInterval(timer));
}

const chunksOfOneByte = (body: string): string => [...body].map((byte) => `1\r\n${byte}\r\n`).join('');

/** Opens connections, lets each write by itself, and closes them. */
async function open(url: string, { count, write }: Connections): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.resume();
    socket.on('connect', () => write(socket));
  }
  await sleep(SENDING_MS);
  for (const socket of sockets) socket.destroy();
  return 'closed';
}

/** Bad connections, whatever the route: with slow and unfinished bodies, and with bodies in tiny pieces. */
export function connectionRequests(url: string, headers: () => Record<string, string>): OneRequest[] {
  const post = (path: string, own: Record<string, string>) =>
    headOf('POST', path, { ...headers(), 'content-type': 'application/json', ...own });
  const ofLength = (path: string, length: number) => `${post(path, { 'content-length': String(length) })}{"content":"`;
  const isChunked = { 'transfer-encoding': 'chunked' };
  // Made before they are sent, since others wait meanwhile.
  const blanks = chunksOfOneByte(' '.repeat(160_000));
  const form = chunksOfOneByte(fileInForm('a'.repeat(600_000)).toString());
  const cases: Record<string, Connections> = {
    'a byte of a body at a time': {
      count: SLOW_CONNECTIONS,
      size: MB,
      write: (socket) => {
        socket.write(ofLength('/api/login', MB));
        byteByByte(socket);
      },
    },
    'a byte of a large body at a time': {
      count: SLOW_CONNECTIONS,
      size: MB,
      write: (socket) => {
        socket.write(ofLength('/api/chat/message', 24 * MB));
        byteByByte(socket);
      },
    },
    'half of a large body': {
      count: 4,
      size: 4 * 12 * MB,
      write: (socket) => {
        socket.write(ofLength('/api/chat/message', 24 * MB));
        socket.write(Buffer.alloc(12 * MB, 'a'));
      },
    },
    'a byte of a head at a time': {
      count: SLOW_CONNECTIONS,
      size: MB,
      write: (socket) => {
        socket.write('GET /api/health/live HTTP/1.1\r\nX-A: ');
        byteByByte(socket);
      },
    },
    'a body in chunks of one byte': {
      count: 1,
      size: MB,
      write: (socket) => socket.write(post('/api/login', isChunked) + blanks),
    },
    'an upload in chunks of one byte': {
      count: 1,
      size: MB,
      write: (socket) => socket.write(post('/api/files', { ...isChunked, 'content-type': FORM_TYPE }) + form),
    },
    'a chunk with an extension of 1 MB': {
      count: 1,
      size: MB,
      write: (socket) => socket.write(`${post('/api/login', isChunked)}1;${'a'.repeat(MB)}\r\n \r\n`),
    },
    'an empty head of 1 MB': { count: 1, size: MB, write: (socket) => socket.write('\r\n'.repeat(MB / 2)) },
  };
  return Object.entries(cases).map(([input, connections]) => ({
    route: 'a connection',
    input,
    size: connections.size,
    send: () => open(url, connections),
  }));
}
