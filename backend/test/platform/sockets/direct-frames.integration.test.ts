import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo, Socket as NetSocket } from 'node:net';
import { Server, type Socket as ServerSocket } from 'socket.io';
import { io, type Socket } from 'socket.io-client';
import { eventFrame, writeDirectly } from '../../../src/platform/sockets/direct-frames.js';
import { waitUntil } from '../../harness/wait-until.js';

let http: HttpServer;
let server: Server;

beforeAll(async () => {
  http = createServer();
  server = new Server(http, { serveClient: false, perMessageDeflate: false });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
});

afterAll(async () => {
  await server.close();
});

/** Connects a client. @returns both ends and the texts that the client receives */
async function connect(transport: 'websocket' | 'polling') {
  const connected = new Promise<ServerSocket>((resolve) => server.once('connection', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const client: Socket = io(url, { transports: [transport], forceNew: true, reconnection: false });
  const received: string[] = [];
  client.on('text', (text: string) => received.push(text));
  const [socket] = await Promise.all([connected, once(client as never, 'connect')]);
  return { client, socket, received };
}

const write = (socket: ServerSocket, text: string): boolean =>
  writeDirectly(socket as never, eventFrame('text', [text])!);

/** Sends like the product: directly where that is possible. @returns whether it was */
function send(socket: ServerSocket, text: string): boolean {
  const isDirect = write(socket, text);
  if (!isDirect) socket.emit('text', text);
  return isDirect;
}

describe('a frame that is written directly', () => {
  it.each([0, 100, 108, 109, 110, 30_000])('holds a text of %i characters', async (length) => {
    const { client, socket, received } = await connect('websocket');
    const text = 'é"\n'.repeat(length / 3) + 'x'.repeat(length % 3);
    await waitUntil('an idle socket', () => write(socket, text));
    await waitUntil('the texts', () => received.length === 1);
    expect(received).toEqual([text]);
    client.close();
  });

  it('keeps its place among events of Socket.IO', async () => {
    const { client, socket, received } = await connect('websocket');
    const sent: string[] = [];
    let direct = 0;
    for (let turn = 0; turn < 50; turn += 1) {
      for (let number = 0; number < 6; number += 1) {
        const text = `${turn}.${number}`;
        sent.push(text);
        // Within a turn the second event of Socket.IO waits in the queue of Engine.IO.
        if (number % 3 === 1) socket.emit('text', text);
        else direct += Number(send(socket, text));
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await waitUntil('the texts', () => received.length === sent.length);
    expect(received).toEqual(sent);
    expect(direct).toBeGreaterThan(0);
    client.close();
  });

  it('is refused for a client that does not read, whose queue Engine.IO bounds', async () => {
    const { client, socket } = await connect('websocket');
    const tcp = (client.io.engine.transport as unknown as { ws: { _socket: NetSocket } }).ws._socket;
    tcp.pause();
    const text = 'x'.repeat(60_000);
    await waitUntil('a full socket', () => !write(socket, text));
    expect(write(socket, text)).toBe(false);
    tcp.destroy();
  });

  it('is refused for a client that polls and for one that has left', async () => {
    const polling = await connect('polling');
    expect(write(polling.socket, 'a')).toBe(false);
    send(polling.socket, 'b');
    await waitUntil('the text', () => polling.received.length === 1);
    polling.client.close();
    const { client, socket } = await connect('websocket');
    client.close();
    await waitUntil('the disconnect', () => !socket.connected);
    expect(write(socket, 'c')).toBe(false);
  });

  it('does not exist for a text beyond 65,535 bytes', () => {
    expect(eventFrame('text', ['x'.repeat(70_000)])).toBeNull();
  });
});
