import { once } from 'node:events';
import { createServer, get, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { API_LIMITS, LIMITS } from '@tanya/contract';
import { systemProgram } from '../../../scripts/testing/system-program.mjs';
import { Balancer } from '../faults/balancer.js';
import { freePort } from '../harness/free-port.js';

/** Path of nginx; null when it cannot be installed. */
function nginxProgram(): string | null {
  try {
    return systemProgram({ names: ['nginx'], aptPackage: 'nginx-light' });
  } catch (error) {
    console.warn(`skipping the balancer: ${(error as Error).message}`);
    return null;
  }
}

const nginx = nginxProgram();

/** A node that answers with its name, and accepts or refuses WebSockets. */
async function startNode(name: string, acceptsWebSockets: boolean): Promise<{ server: Server; port: number }> {
  const server = createServer((incoming, response) => {
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => (bytes += chunk.length));
    incoming.once('end', () => response.setHeader('x-received', bytes).end(name));
  });
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => undefined);
    if (!acceptsWebSockets) socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n');
    else socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

async function upgradeStatus(port: number): Promise<number> {
  const headers = { connection: 'upgrade', upgrade: 'websocket' };
  const path = '/socket.io/?EIO=4&transport=websocket';
  const upgraded = get({ port, host: '127.0.0.1', path, headers, agent: false });
  return new Promise((resolve, reject) => {
    upgraded.on('upgrade', (response: IncomingMessage, socket) => {
      socket.destroy();
      resolve(response.statusCode!);
    });
    upgraded.on('response', ({ statusCode }) => resolve(statusCode!));
    upgraded.on('error', reject);
  });
}

async function answeredBy(port: number): Promise<string> {
  const [response] = (await once(get({ port, host: '127.0.0.1', path: '/api/x', agent: false }), 'response')) as [
    IncomingMessage,
  ];
  return textOf(response);
}

/** Sends `bytes` zeros. @returns the status, and the number of bytes that the node received */
/** Sends so many bytes, in pieces: the servers of this process answer meanwhile. */
async function upload(port: number, path: string, bytes: number): Promise<{ status: number; received: number }> {
  const headers = { 'content-length': bytes };
  const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers, agent: false });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const piece = Buffer.alloc(1024 * 1024);
  const pieces = function* () {
    for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
  };
  await pipeline(Readable.from(pieces(), { objectMode: false }), sent);
  const [response] = await answered;
  response.resume();
  return { status: response.statusCode!, received: Number(response.headers['x-received']) };
}

(nginx === null ? describe.skip : describe)('nginx as docker-compose.yml configures it', () => {
  let folder: string;
  let balancer: Balancer;
  let nodes: Server[];

  beforeAll(async () => {
    folder = await mkdtemp(join(process.env.TANYA_TEST_FOLDER!, 'balancer-'));
    const [draining, ready] = [await startNode('draining', false), await startNode('ready', true)];
    nodes = [draining.server, ready.server];
    balancer = await Balancer.start(nginx!, folder, await freePort(), [draining.port, ready.port]);
  });

  afterAll(async () => {
    await balancer.stop();
    for (const node of nodes) node.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('passes a WebSocket that a draining node refuses to another node, and that node still gets other requests', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push(await upgradeStatus(balancer.port));
    expect(statuses).toEqual(Array(6).fill(101));
    const names = new Set<string>();
    for (let count = 0; count < 6; count += 1) names.add(await answeredBy(balancer.port));
    expect(names).toEqual(new Set(['draining', 'ready']));
  });

  it('passes imports and audio files of the largest size', async () => {
    const ofImport = LIMITS.importBytes + 2_000;
    expect(await upload(balancer.port, '/api/user/import', ofImport)).toEqual({ status: 200, received: ofImport });
    const ofAudio = API_LIMITS.transcriptionBytes + 300_000;
    const path = '/api/v1/audio/transcriptions';
    expect(await upload(balancer.port, path, ofAudio)).toEqual({ status: 200, received: ofAudio });
  });

  it('refuses a larger body of another path by its length', async () => {
    const headers = { 'content-length': 31 * 1024 * 1024 };
    const sent = request({ port: balancer.port, host: '127.0.0.1', path: '/api/files', method: 'POST', headers });
    sent.flushHeaders();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    sent.on('error', () => undefined).destroy();
  });
});
