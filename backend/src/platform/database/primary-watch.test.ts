import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { pino } from 'pino';
import { PrimaryWatch } from './primary-watch.js';

const servers: Server[] = [];

afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** The port of a server of Postgres without TLS: it answers the request for TLS with `N`. */
async function serverWithoutTls(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end('N')));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** No server listens on this port. */
const CLOSED_PORT = 1;

async function find(...ports: number[]): Promise<string> {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const url = `postgres://tanya:x@${hosts}/tanya?sslmode=verify-full`;
  const watch = new PrimaryWatch(url, pino({ level: 'silent' }), 30_000);
  return watch.find().finally(() => watch.stop());
}

it('reports the TLS failure when every server has one', async () => {
  await expect(find(await serverWithoutTls(), await serverWithoutTls())).rejects.toThrow(
    /^The server does not support SSL/,
  );
});

it('waits for a server that is away when another one has a TLS failure, which the error names', async () => {
  const [refused, away] = [await serverWithoutTls(), CLOSED_PORT];
  await expect(find(refused, away)).rejects.toThrow(
    new RegExp(`^No primary \\(timeout expired\\): .*:${refused}: .*not support SSL.*:${away}: .*ECONNREFUSED`),
  );
});
