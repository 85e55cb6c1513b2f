import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { serveOtherUpgrades } from '../clients/other-upgrades.js';
import { endKeepAlive, limitConnections } from './http-server.js';

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

describe('requests that a connection sends before the answers (LIM-16)', () => {
  const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

  async function open(listener: RequestListener): Promise<{ client: Socket; server: Server }> {
    const server = createServer(listener);
    limitConnections(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    return { client: client.on('error', () => undefined), server };
  }

  it('begin one after the other', async () => {
    const answers: ServerResponse[] = [];
    let wake = (): void => undefined;
    const { client, server } = await open((_request, answer) => {
      answers.push(answer);
      wake();
    });
    const begun = (count: number) =>
      new Promise<void>((resolve) => {
        wake = () => answers.length === count && resolve();
        wake();
      });
    const first = begun(1);
    client.write(
      GET + GET + 'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody',
    );
    await first;
    for (const count of [1, 2, 3]) {
      await begun(count);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(answers).toHaveLength(count);
      answers.at(-1)!.end(`answer ${count}`);
    }
    const received = await text(client);
    expect([...received.matchAll(/answer \d/g)].map(String)).toEqual(['answer 1', 'answer 2', 'answer 3']);
    server.close();
  });

  it('begin in vain where they are too many, and none stays open', async () => {
    const ended = deferred();
    let begun = 0;
    const { client, server } = await open((_request, answer) => {
      begun += 1;
      answer.on('close', ended.resolve);
    });
    client.write(GET.repeat(1_000));
    await ended.promise;
    await once(client, 'close');
    expect(begun).toBe(1);
    server.close();
  });

  it('begin outside of the context of the one before', async () => {
    const calls = new AsyncLocalStorage<string>();
    const contexts: (string | undefined)[] = [];
    const { client, server } = await open((_request, answer) => {
      contexts.push(calls.getStore());
      calls.run('admin', () => setImmediate(() => answer.end()));
    });
    client.write(`${GET}GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    await text(client);
    expect(contexts).toEqual([undefined, undefined]);
    server.close();
  });

  it('do not begin where an upgrade took the connection, and their connection ends', async () => {
    const begun: string[] = [];
    const { client, server } = await open(({ url }, answer) => {
      begun.push(url!);
      setTimeout(() => answer.end('answer'), 20);
    });
    serveOtherUpgrades(server);
    client.write(`${GET}GET /later HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`);
    expect(await text(client)).toMatch(/answer$/);
    expect(begun).toEqual(['/']);
    server.close();
  });
});

it('waits for a slow client during a shutdown, but not for ever', async () => {
  const server = createServer((request) => void request.resume());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n');
  await once(server, 'request');
  const drip = setInterval(() => client.write('x'), 10);
  endKeepAlive(server, 100);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(drip);
  client.destroy();
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
