import { HttpClient } from '../../harness/http-client.js';
import { startRedis, type TestRedis } from '../../harness/redis.js';
import { type Certificate, createCertificate } from '../../harness/servers/certificate.js';
import type { PostgresNode } from '../../harness/servers/postgres-node.js';
import { createPair, PAIR_DATABASE, requireStandby, urlOfPair } from '../../harness/servers/postgres-pair.js';
import { ProductProcess } from '../../harness/servers/product-process.js';
import { ADMIN } from '../../harness/test-app.js';
import { eventually, PROCESSES_TIMEOUT_MS, waitUntil } from '../../harness/wait-until.js';

/** Number of connections of the product to a server, by whether they are encrypted. */
const CONNECTIONS = `
select a.application_name as name, bool_and(s.ssl) as ssl from pg_stat_ssl s join pg_stat_activity a using (pid)
where a.application_name like 'tanya%' group by a.application_name order by a.application_name`;

describe('Postgres with TLS', () => {
  let certificate: Certificate;
  let primary: PostgresNode;
  let standby: PostgresNode;
  let redis: TestRedis;
  let product: ProductProcess | null = null;

  const env = (url: string): Record<string, string> => ({
    DATABASE_URL: `${url}?sslmode=verify-full`,
    REDIS_URL: redis.url,
  });

  beforeAll(async () => {
    certificate = createCertificate();
    [[primary, standby], redis] = await Promise.all([createPair(), startRedis()]);
    await primary.start(await primary.useCertificate(certificate));
    await standby.start(await standby.useCertificate(certificate), primary);
    await requireStandby(primary);
  }, PROCESSES_TIMEOUT_MS);

  afterAll(async () => {
    await product?.stop();
    await redis.stop();
    await primary.remove();
    await standby.remove();
  });

  it.each([
    ['one server', () => primary.url(PAIR_DATABASE)],
    ['several servers', () => urlOfPair(primary, standby)],
  ])(
    'refuses the start with a certificate that is not trusted: %s',
    async (_name, url) => {
      expect(await ProductProcess.failedStart(env(url()))).toMatch(/self-signed certificate/);
    },
    PROCESSES_TIMEOUT_MS,
  );

  it(
    'encrypts every connection to a primary, its standby and a replica, also after a promotion',
    async () => {
      product = await ProductProcess.start({
        ...env(urlOfPair(primary, standby)),
        DATABASE_REPLICA_URL: `${standby.url(PAIR_DATABASE)}?sslmode=verify-full`,
        NODE_EXTRA_CA_CERTS: certificate.certificate,
      });
      const admin = new HttpClient(product.url, '10.0.0.1');
      expect((await admin.post('/api/login', ADMIN)).status).toBe(200);
      await eventually(async () => {
        // A report reads from the replica unless that is late.
        expect((await admin.get('/api/user/usage')).status).toBe(200);
        expect(await primary.query(CONNECTIONS)).toEqual([
          { name: 'tanya', ssl: true },
          { name: 'tanya watch', ssl: true },
        ]);
        expect(await standby.query(CONNECTIONS)).toEqual([
          { name: 'tanya replica', ssl: true },
          { name: 'tanya watch', ssl: true },
        ]);
      });
      await primary.kill();
      await standby.promote();
      await waitUntil('the next primary', async () => (await admin.get('/api/user')).status === 200);
      const now = await standby.query<{ name: string; ssl: boolean }>(CONNECTIONS);
      expect(now.filter(({ ssl }) => !ssl)).toEqual([]);
      expect(now.map(({ name }) => name)).toContain('tanya');
    },
    PROCESSES_TIMEOUT_MS,
  );
});
