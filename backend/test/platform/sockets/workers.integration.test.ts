import { HttpClient } from '../../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { startRedis, type TestRedis } from '../../harness/redis.js';
import { type ScriptedUpstream, startUpstream } from '../../harness/scripted-upstream.js';
import { MeasuredProcess } from '../../harness/servers/measured-process.js';
import { SocketClient } from '../../harness/socket-client.js';
import { waitUntil } from '../../harness/wait-until.js';

const CLIENTS = Array.from({ length: 10 }, (_, index) => index);

/** Session id of a worker that does not exist. */
const UNKNOWN_SESSION = '77.AAAAAAAAAAAAAAAAAAAA';

describe('two workers on one port', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let upstream: ScriptedUpstream;
  let server: MeasuredProcess;
  let addresses = 0;

  const browser = () => new HttpClient(server.url, `10.1.0.${(addresses += 1)}`);

  /** Worker of a new Engine.IO session. */
  const workerOf = async () => {
    const { text } = await browser().get('/socket.io/?EIO=4&transport=polling', { headers: { Connection: 'close' } });
    return /"sid":"(\d+)\./.exec(text)?.[1];
  };

  beforeAll(async () => {
    [database, redis, upstream] = await Promise.all([createDatabase(), startRedis(), startUpstream({ words: 20 })]);
    server = await MeasuredProcess.start(database.url, {
      REDIS_URL: redis.url,
      WEB_CONCURRENCY: '2',
      OPENAI_API_KEY: 'sk-scripted',
      OPENAI_BASE_URL: upstream.url,
    });
    // The first worker reports readiness, so the other one may still be starting.
    const seen = new Set();
    await waitUntil('both workers', async () => seen.add(await workerOf()).size === 2);
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
  ])('serve clients that %s', async (_how, transports, last) => {
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

  it('refuse a session of an unknown worker', async () => {
    const path = `/socket.io/?EIO=4&transport=polling&sid=${UNKNOWN_SESSION}`;
    const [read, written] = [await browser().get(path), await browser().send('POST', path, { raw: '2' })];
    for (const { status, body } of [read, written]) {
      expect([status, body]).toEqual([400, { code: 1, message: 'Session ID unknown' }]);
    }
    const upgraded = SocketClient.connect(browser(), { query: { sid: UNKNOWN_SESSION } });
    await expect(upgraded).rejects.toThrow('websocket error');
  });
});
