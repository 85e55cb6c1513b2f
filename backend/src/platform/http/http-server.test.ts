import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { limitConnections } from './http-server.js';

it('survives the reset of a connection that asked for an upgrade', async () => {
  const server = createServer();
  limitConnections(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => {
    server.on('upgrade', ({ socket }) => {
      // `once` of node:events would add a listener for errors.
      socket.on('close', () => resolve());
      client.resetAndDestroy();
    });
  });
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await closed;
  server.close();
});
