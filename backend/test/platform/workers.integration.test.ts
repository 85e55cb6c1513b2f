import { startServerProcess, type ServerProcess } from '../fuzz/server-process.js';
import { HttpClient } from '../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { startRedis, type TestRedis } from '../harness/redis.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { SocketClient } from '../harness/socket-client.js';

const CLIENTS = Array.from({ length: 10 }, (_, index) => index);

/** Of a worker that never was. */
const STRANGE_SESSION = '77.AAAAAAAAAAAAAAAAAAAA';

describe('two workers on one port', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let upstream: ScriptedUpstream;
  let server: ServerProcess;
  let addresses = 0;

  const browser = () => new HttpClient(server.url, `10.1.0.${(addresses += 1)}`);

  /** The worker of a new session. */
  const workerOf = async () => {
    const { text } = await browser().get('/socket.io/?EIO=4&transport=polling', { headers: { Connection: 'close' } });
    return /"sid":"(\d+)\./.exec(text)?.[1];
  };

  beforeAll(async () => {
    [database, redis, upstream] = await Promise.all([createDatabase(), startRedis(), startUpstream({ words: 20 })]);
    server = await startServerProcess(database.url, {
      REDIS_URL: redis.url,
      WEB_CONCURRENCY: '2',
      OPENAI_API_KEY: 'sk-scripted',
      OPENAI_BASE_URL: upstream.url,
    });
    // The one that is up first says so for both.
    for (const seen = new Set(); seen.size < 2;) seen.add(await workerOf());
  });

  afterAll(async () => {
    await server.stop();
    await redis.stop();
    await upstream.close();
    await database.drop();
  });

  it.each([
    ['poll and then upgrade', ['polling', 'websocket'], 'websocket'],
    ['poll alone', ['polling'], 'polling'],
    ['open a WebSocket at once', ['websocket'], 'websocket'],
  ])('answer clients that %s', async (_how, transports, last) => {
    const answers = CLIENTS.map(async (index) => {
      const page = await SocketClient.connect(browser(), { transports: [...transports] });
      const { engine } = page.socket.io;
      while (engine.transport.name !== last) await new Promise((resolve) => engine.once('upgrade', resolve));
      const { generationId } = await page.start(`from ${index} [[pace=20]]`);
      const { message, gaps } = await page.ended(generationId);
      await page.close();
      return [message.status, gaps];
    });
    expect(await Promise.all(answers)).toEqual(CLIENTS.map(() => ['complete', 0]));
  });

  it('know no session of a worker that is gone', async () => {
    const path = `/socket.io/?EIO=4&transport=polling&sid=${STRANGE_SESSION}`;
    const [read, written] = [await browser().get(path), await browser().send('POST', path, { raw: '2' })];
    for (const { status, body } of [read, written]) {
      expect([status, body]).toEqual([400, { code: 1, message: 'Session ID unknown' }]);
    }
    const upgraded = SocketClient.connect(browser(), { query: { sid: STRANGE_SESSION } });
    await expect(upgraded).rejects.toThrow('websocket error');
  });
});
