import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { connectRedis } from '../../src/platform/redis/redis.js';
import { TcpProxy } from '../faults/tcp-proxy.js';
import { startRedis, type TestRedis } from '../harness/redis.js';

describe('a connection for subscriptions', () => {
  let server: TestRedis;
  let line: TcpProxy;
  let subscriber: Redis;

  beforeAll(async () => {
    server = await startRedis();
    line = await TcpProxy.open(() => [Number(new URL(server.url).port)]);
    const logger = pino({ level: 'silent' });
    subscriber = await connectRedis(`redis://127.0.0.1:${line.port}`, logger, { blocking: true });
  });

  afterAll(async () => {
    subscriber.disconnect();
    await line.close();
    await server.stop();
  });

  it('takes those that are asked for at the moment it comes back, and keeps the others (F6, I6)', async () => {
    await subscriber.ssubscribe('before');
    const connected = new Promise((resolve) => subscriber.once('connect', () => resolve(null)));
    line.cut();
    await connected;
    await expect(Promise.all([subscriber.ssubscribe('among'), subscriber.ssubscribe('more')])).resolves.toBeDefined();
    const heard: unknown[] = [];
    subscriber.on('smessage', (channel) => heard.push(channel));
    const speaker = await connectRedis(server.url, pino({ level: 'silent' }));
    for (const channel of ['before', 'among', 'more']) {
      while (!heard.includes(channel)) {
        await speaker.spublish(channel, 'hello');
        await sleep(10);
      }
    }
    speaker.disconnect();
    expect(new Set(heard)).toEqual(new Set(['before', 'among', 'more']));
  });
});
