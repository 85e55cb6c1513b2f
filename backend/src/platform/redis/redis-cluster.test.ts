import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { pino } from 'pino';
import { parseRedisUrl } from '../../config/redis-url.js';
import { connectRedis } from './redis.js';

const servers: Server[] = [];

afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** The port of a server without TLS. */
async function serverWithoutTls(): Promise<number> {
  const server = createServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.end('-ERR unknown command\r\n')),
  );
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** No server listens on this port. */
const CLOSED_PORT = 1;

const connect = (...ports: number[]) => {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  return connectRedis(parseRedisUrl(`rediss://${hosts}?cluster=1`), pino({ level: 'silent' }));
};

it('reports the TLS failure when every listed node has one', async () => {
  await expect(connect(await serverWithoutTls(), await serverWithoutTls())).rejects.toMatchObject({
    code: expect.stringMatching(/^ERR_SSL_/) as string,
  });
}, 30_000);

it('reports an outage when only one of the listed nodes has a TLS failure, which the error names', async () => {
  await expect(connect(await serverWithoutTls(), CLOSED_PORT)).rejects.toThrow(
    /^Redis Cluster unavailable: .*; TLS handshake with a node: /,
  );
}, 30_000);
