import type { AdminModel, AuditEntry, ModelPriceChange, ModelPricing } from '@tanya/contract';
import { ModelPrices } from '../../src/models/model-prices.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { waitForLockWait, withConnection } from '../harness/lock-waits.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';

const ADMIN_PATH = '/api/admin/models';

describe('prices of a model', () => {
  let database: TestDatabase;
  let server: TestApp;
  let admin: HttpClient;

  beforeAll(async () => {
    database = await createDatabase();
    server = await startTestApp({ database });
    admin = await server.admin();
  });

  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  let count = 0;
  const create = async (pricing?: ModelPricing): Promise<AdminModel> =>
    (await admin.post<AdminModel>(ADMIN_PATH, { modelId: `priced/model-${(count += 1)}`, pricing })).body;
  const setPricing = (id: number, pricing: unknown) => admin.patch<AdminModel>(`${ADMIN_PATH}/${id}`, { pricing });
  const changesOf = async (id: number) => (await admin.get<ModelPriceChange[]>(`${ADMIN_PATH}/${id}/prices`)).body;

  it('have a history with their sources, newest first', async () => {
    const { id } = await create({ prompt: '0.00000015', image: '0.04' });
    await setPricing(id, { prompt: '0.0000002', request: '0' });
    await setPricing(id, null);
    const changes = await changesOf(id);
    expect(changes.map(({ source, pricing }) => ({ source, pricing }))).toEqual([
      { source: 'admin', pricing: {} },
      { source: 'admin', pricing: { prompt: '0.0000002', request: '0' } },
      { source: 'admin', pricing: { prompt: '0.00000015', image: '0.04' } },
    ]);
    const times = changes.map(({ validFrom }) => Date.parse(validFrom));
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  it('have no new entry when nothing changes', async () => {
    const { id } = await create({ prompt: '1' });
    await setPricing(id, { prompt: '1' });
    await admin.patch(`${ADMIN_PATH}/${id}`, { name: 'Renamed' });
    expect(await changesOf(id)).toEqual([expect.objectContaining({ source: 'admin', pricing: { prompt: '1' } })]);
  });

  it('show at most twenty entries', async () => {
    const { id } = await create();
    for (let index = 0; index < 22; index++) await setPricing(id, { prompt: String(index) });
    const changes = await changesOf(id);
    expect(changes).toHaveLength(20);
    expect(changes[0]!.pricing).toEqual({ prompt: '21' });
  });

  it.each([-1, '-1', '1e3', 'free', '', '999999999', '0.0000000000001', 'Infinity', 7, [], {}])(
    'refuse %j at its field',
    async (price) => {
      const { id } = await create({ prompt: '1' });
      const answer = await setPricing(id, { completion: price });
      expect(answer.status).toBe(400);
      const { code, details } = errorOf(answer);
      expect(code).toBe('invalid');
      expect(details).toEqual(expect.arrayContaining([expect.objectContaining({ field: 'pricing.completion' })]));
      expect(await changesOf(id)).toHaveLength(1);
    },
  );

  it('are in the audit log, and two admins at once leave one history', async () => {
    const { id } = await create();
    const other = await server.admin();
    await Promise.all([
      setPricing(id, { prompt: '1' }),
      other.patch(`${ADMIN_PATH}/${id}`, { pricing: { prompt: '2' } }),
    ]);
    const [present, earlier, first] = await changesOf(id);
    const { body: models } = await admin.get<AdminModel[]>(ADMIN_PATH);
    expect(present!.pricing).toEqual(models.find((model) => model.id === id)!.pricing);
    expect([present!.source, earlier!.source, first!.pricing]).toEqual(['admin', 'admin', {}]);
    const { body: entries } = await admin.get<AuditEntry[]>('/api/admin/audit?limit=1');
    expect(entries[0]).toMatchObject({ action: 'model.update', after: { pricing: present!.pricing } });
  });

  it('are in the order of their storage when a change waited for one that began later', async () => {
    const { id, modelId } = await create();
    await withConnection(database, async (first) => {
      await first.query('begin');
      await first.query('lock table model in share row exclusive mode');
      const waiting = setPricing(id, { prompt: '1' });
      await waitForLockWait(database);
      await withConnection(database, async (second) => {
        await second.query('begin');
        await second.query('select from model where id = $1 for update', [id]);
        await first.query('commit');
        await second.query(`update model set pricing = '{"prompt": "2"}' where id = $1`, [id]);
        await second.query('commit');
      });
      await waiting;
    });
    expect((await changesOf(id)).map(({ pricing }) => pricing)).toEqual([{ prompt: '1' }, { prompt: '2' }, {}]);
    expect(await server.app.get(ModelPrices).at(modelId, new Date())).toEqual({ prompt: '1' });
  });

  it('of an unknown model are not found, and are for admins alone', async () => {
    for (const id of ['0', '999999', 'x']) expect((await admin.get(`${ADMIN_PATH}/${id}/prices`)).status).toBe(404);
    const { id } = await create();
    expect((await (await server.member()).client.get(`${ADMIN_PATH}/${id}/prices`)).status).toBe(403);
  });
});
