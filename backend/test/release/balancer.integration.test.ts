import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { systemProgram } from '../../../scripts/system-program.mjs';
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
  const server = createServer((_request, response) => response.end(name));
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
  const request = get({ port, host: '127.0.0.1', path, headers, agent: false });
  return new Promise((resolve, reject) => {
    request.on('upgrade', (response: IncomingMessage, socket) => {
      socket.destroy();
      resolve(response.statusCode!);
    });
    request.on('response', ({ statusCode }) => resolve(statusCode!));
    request.on('error', reject);
  });
}

async function answeredBy(port: number): Promise<string> {
  const [response] = (await once(get({ port, host: '127.0.0.1', path: '/api/x', agent: false }), 'response')) as [
    IncomingMessage,
  ];
  return textOf(response);
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
});
