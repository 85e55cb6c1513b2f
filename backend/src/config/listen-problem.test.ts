import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenProblem, shownHost } from './listen-problem.js';

const listen = async (port: number, host: string): Promise<Server> => {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  return server;
};

it('names a port that is in use, and a host that is no address of this machine', async () => {
  const server = await listen(0, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  const inUse = await listen(port, '127.0.0.1').catch((error: unknown) => error);
  expect(listenProblem(inUse, { port, host: '127.0.0.1' })).toMatchObject({
    message: `PORT ${port} of HOST 127.0.0.1 is in use by another program.`,
  });
  server.close();
  // An address for documentation, which no machine has.
  const foreign = await listen(0, '192.0.2.1').catch((error: unknown) => error);
  expect(listenProblem(foreign, { port: 0, host: '192.0.2.1' })).toMatchObject({
    message: 'PORT 0 of HOST 192.0.2.1 cannot be used: this machine has no such address.',
  });
});

it('leaves other errors as they are', () => {
  for (const error of [new Error('stopped'), Object.assign(new Error('full'), { code: 'ENOSPC' })])
    expect(listenProblem(error, { port: 1, host: 'a' })).toBe(error);
});

it.each([
  ['127.0.0.1', 'localhost'],
  ['0.0.0.0', 'localhost'],
  ['192.168.1.10', '192.168.1.10'],
  ['fd00::1', '[fd00::1]'],
])('shows HOST %s as %s', (host, shown) => {
  expect(shownHost(host)).toBe(shown);
});
