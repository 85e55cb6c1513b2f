import { startRedis, type TestRedis } from '../harness/redis.js';
import { startUpstream } from '../harness/scripted-upstream.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';

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

/** A look is shared by the probes of half a second. */
const afterThisLook = () => new Promise((resolve) => setTimeout(resolve, 600));

describe('health', () => {
  it('is alive without asking anybody', async () => {
    const answer = await server.client().get('/api/health/live');
    expect(answer).toMatchObject({ status: 200, body: { status: 'live' } });
  });

  it('is ready while Postgres and Redis answer, and stores no cookie at the probe', async () => {
    const answer = await ready();
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { postgres: 'ok', redis: 'ok' } },
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('is not ready while Redis is away, stays alive, and is ready again by itself', async () => {
    await redis.kill();
    await afterThisLook();
    expect(await ready()).toMatchObject({
      status: 503,
      body: { status: 'away', checks: { postgres: 'ok', redis: 'away' } },
    });
    expect((await server.client().get('/api/health/live')).status).toBe(200);
    await redis.start();
    let answer = await ready();
    for (let tries = 0; answer.status !== 200 && tries < 20; tries += 1) {
      await afterThisLook();
      answer = await ready();
    }
    expect(answer.body).toMatchObject({ status: 'ready' });
  });
});

it('F39: is not ready any more while running answers are brought to their end', async () => {
  const upstream = await startUpstream();
  const leaving = await startTestApp({ env: { openai: { apiKey: null, baseUrl: upstream.url } } });
  const { client } = await leaving.member();
  const answer = client.post('/api/chat/message', { content: 'Take your time [[words=150 pace=10]]' });
  while (upstream.callsOf().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const closing = leaving.close();
  const probe = await leaving.client().get('/api/health/ready');
  expect(probe).toMatchObject({ status: 503, body: { status: 'draining', checks: { postgres: 'ok' } } });
  expect(probe.headers.get('retry-after')).toBe('5');
  expect(await answer).toMatchObject({ status: 201, body: { aiMessage: { status: 'complete' } } });
  await closing;
  await upstream.close();
});
