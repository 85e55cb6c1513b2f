import { startRedis, type TestRedis } from '../../harness/redis.js';
import { startUpstream } from '../../harness/scripted-upstream.js';
import { startTestApp, type TestApp } from '../../harness/test-app.js';
import { waitUntil } from '../../harness/wait-until.js';

let server: TestApp;
let redis: TestRedis;

beforeAll(async () => {
  redis = await startRedis();
  server = await startTestApp({ env: { redisUrl: redis.url } });
});

afterAll(async () => {
  await server.close();
  await redis.stop();
});

const ready = () => server.client().get('/api/health/ready');

describe('health', () => {
  it('is live without any check', async () => {
    const answer = await server.client().get('/api/health/live');
    expect(answer).toMatchObject({ status: 200, body: { status: 'live' } });
  });

  it('is ready while Postgres and Redis answer, and sets no cookie', async () => {
    const answer = await ready();
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { postgres: 'ok', redis: 'ok' } },
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('is not ready during an outage of Redis, stays live, and recovers', async () => {
    await redis.kill();
    // Probes share a check for half a second.
    await waitUntil('the next check', async () => (await ready()).status === 503);
    expect(await ready()).toMatchObject({
      status: 503,
      body: { status: 'away', checks: { postgres: 'ok', redis: 'away' } },
    });
    expect((await server.client().get('/api/health/live')).status).toBe(200);
    await redis.start();
    await waitUntil('the recovery', async () => (await ready()).status === 200);
  });
});

it('F39: a draining server is not ready', async () => {
  const upstream = await startUpstream();
  const leaving = await startTestApp({ env: { openai: { apiKey: null, baseUrl: upstream.url } } });
  const { client } = await leaving.member();
  const release = upstream.hold({ steps: [{ text: 'held' }, { finish: 'stop' }, { done: true }] });
  const answer = client.post('/api/chat/message', { content: 'Take your time' });
  await waitUntil('the call', () => upstream.callsOf().length > 0);
  const closing = leaving.close();
  await waitUntil('draining', async () => (await leaving.client().get('/api/health/ready')).status === 503);
  const probe = await leaving.client().get('/api/health/ready');
  expect(probe).toMatchObject({ status: 503, body: { status: 'draining', checks: { postgres: 'ok' } } });
  expect(probe.headers.get('retry-after')).toBe('5');
  release();
  expect(await answer).toMatchObject({ status: 201, body: { aiMessage: { status: 'complete' } } });
  await closing;
  await upstream.close();
});
