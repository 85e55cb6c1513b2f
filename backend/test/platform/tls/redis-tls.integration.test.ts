import { randomUUID } from 'node:crypto';
import { HttpClient } from '../../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../../harness/postgres.js';
import { type Certificate, createCertificate } from '../../harness/servers/certificate.js';
import { ProductProcess } from '../../harness/servers/product-process.js';
import { TestCluster } from '../../harness/servers/redis-cluster.js';
import { TestSentinels } from '../../harness/servers/redis-sentinels.js';
import { RedisServer } from '../../harness/servers/redis-server.js';
import { SocketClient } from '../../harness/socket-client.js';
import { ADMIN } from '../../harness/test-app.js';
import { PROCESSES_TIMEOUT_MS, waitUntil } from '../../harness/wait-until.js';

interface Servers {
  url: string;
  stop(): Promise<unknown>;
}

async function startServer(certificate: Certificate): Promise<Servers> {
  const server = await RedisServer.create({}, certificate);
  await server.start();
  return { url: server.url, stop: () => server.kill() };
}

describe.each<[string, (certificate: Certificate) => Promise<Servers>]>([
  ['one server', startServer],
  ['a cluster', (certificate) => TestCluster.start(certificate)],
  ['Sentinels', (certificate) => TestSentinels.start(certificate)],
])('Redis with TLS: %s', (name, startServers) => {
  let certificate: Certificate;
  let database: TestDatabase;
  let redis: Servers;
  let env: Record<string, string>;
  const products: ProductProcess[] = [];

  beforeAll(async () => {
    certificate = createCertificate();
    [redis, database] = await Promise.all([startServers(certificate), createDatabase()]);
    env = { DATABASE_URL: database.url, REDIS_URL: redis.url };
  }, PROCESSES_TIMEOUT_MS);

  afterAll(async () => {
    await Promise.all(products.map((product) => product.stop()));
    await redis.stop();
    await database.drop();
  });

  it(
    'holds sessions and passes events between two nodes',
    async () => {
      expect(redis.url).toMatch(/^rediss:/);
      const trusting = { ...env, NODE_EXTRA_CA_CERTS: certificate.certificate };
      products.push(...(await Promise.all([ProductProcess.start(trusting), ProductProcess.start(trusting)])));
      const near = new HttpClient(products[0]!.url, '10.0.0.1');
      const far = new HttpClient(products[1]!.url, '10.0.0.1', near.cookies);
      expect((await near.post('/api/login', ADMIN)).status).toBe(200);
      expect((await far.get('/api/user')).status).toBe(200);
      const page = await SocketClient.connect(far);
      expect((await near.post('/api/chat/message', { content: `hello ${randomUUID()}` })).status).toBe(201);
      await waitUntil('the end on the other node', () =>
        [...page.answers.values()].some(({ closing }) => closing !== null),
      );
      page.socket.disconnect();
    },
    PROCESSES_TIMEOUT_MS,
  );

  // Sentinels are asked again until the timeout of the start.
  if (name !== 'Sentinels') {
    it(
      'refuses the start with a certificate that is not trusted',
      async () => {
        expect(await ProductProcess.failedStart(env)).toMatch(/self-signed certificate/);
      },
      PROCESSES_TIMEOUT_MS,
    );
  }
});
