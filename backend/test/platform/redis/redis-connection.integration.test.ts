import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { parseRedisUrl } from '../../../src/config/redis-url.js';
import { connectRedis, connectSubscriber } from '../../../src/platform/redis/redis.js';
import { TcpProxy } from '../../faults/tcp-proxy.js';
import { startRedis, type TestRedis } from '../../harness/redis.js';
import { waitUntil } from '../../harness/wait-until.js';

const logger = pino({ level: 'silent' });
const connect = (url: string) => connectRedis(parseRedisUrl(url), logger);
const subscribe = async (url: string) => {
  const client = await connect(url);
  client.disconnect();
  return connectSubscriber(parseRedisUrl(url), logger, client);
};

describe('a subscriber connection', () => {
  let server: TestRedis;
  let proxy: TcpProxy;
  let subscriber: Redis;

  beforeAll(async () => {
    server = await startRedis();
    proxy = await TcpProxy.open(() => [Number(new URL(server.url).port)]);
    subscriber = await subscribe(`redis://127.0.0.1:${proxy.port}`);
  });

  afterAll(async () => {
    subscriber.disconnect();
    await proxy.close();
    await server.stop();
  });

  it('accepts subscriptions at the moment of a reconnect, and keeps the earlier ones (F6, I6)', async () => {
    await subscriber.ssubscribe('before');
    const connected = new Promise((resolve) => subscriber.once('connect', () => resolve(null)));
    proxy.cut();
    await connected;
    await expect(Promise.all([subscriber.ssubscribe('among'), subscriber.ssubscribe('more')])).resolves.toBeDefined();
    const received: unknown[] = [];
    subscriber.on('smessage', (channel) => received.push(channel));
    const publisher = await connect(server.url);
    for (const channel of ['before', 'among', 'more']) {
      await waitUntil(`a message on ${channel}`, async () => {
        await publisher.spublish(channel, 'hello');
        return received.includes(channel);
      });
    }
    publisher.disconnect();
    expect(new Set(received)).toEqual(new Set(['before', 'among', 'more']));
  });

  // Jest fails a test during which a rejection stays unhandled.
  it('leaves no rejection unhandled when it closes, and rejects commands that are awaited (F6)', async () => {
    const closing = await subscribe(server.url);
    const closed = new Promise((resolve) => closing.once('end', () => resolve(null)));
    void closing.ssubscribe('unanswered');
    closing.disconnect();
    await closed;
    void closing.sunsubscribe('after the close');
    await new Promise((resolve) => setImmediate(resolve));
    await expect(closing.ssubscribe('awaited')).rejects.toThrow('Connection is closed.');
  });
});
