import { AccountLifecycleHooks } from '../../src/identity/account-lifecycle-hooks.js';
import { userOwner } from '../../src/identity/identity.js';
import { QuotaService } from '../../src/quota/quota.service.js';
import { UsageRollup } from '../../src/quota/usage/usage-rollup.service.js';
import { AccountDeletion } from '../../src/users/deletion/account-deletion.js';
import type { HttpClient } from '../harness/http-client.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

let server: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.admin();
});

afterAll(() => server.close());

describe('a large account', () => {
  it('is deleted in batches, and completed by the sweep after a failure', async () => {
    const { client, user } = await server.member();
    const { id } = user;
    await server.dataSource.query(
      `insert into thread (owner, user_id, title) select 'user:' || $1::int, $1::int, 'T' from generate_series(1, 45)`,
      [id],
    );
    // More messages than one statement deletes.
    await server.dataSource.query(
      `insert into message (thread_id, user_id, content, is_user_message)
       select (select min(id) from thread where user_id = $1), $1, 'x', true from generate_series(1, 11_000)`,
      [id],
    );
    await server.dataSource.query(
      `insert into usage_record (owner, user_id, period, model_id, cost, state, settled_at, cost_usd, cost_source, reason)
       select 'user:' || $1::int, $1::int, 'ever', 'large', 1, 'charged', now(), 0.5, 'provider', 'complete' from generate_series(1, 4100)`,
      [id],
    );
    const rollup = server.app.get(UsageRollup);
    await rollup.rollUp();
    const count = async (condition: string): Promise<number> => {
      const [row] = await server.dataSource.query<[{ count: number }]>(
        `select coalesce(sum(generations), 0)::int as count from usage_rollup where grain = 'owner' and ${condition}`,
      );
      return row.count;
    };
    const anonymous = await count(`owner = 'anonymous'`);
    let failures = 0;
    server.app.get(AccountLifecycleHooks).onDelete(async (owner) => {
      if (owner === `user:${id}` && failures++ === 0) throw new Error('The storage failed');
    });

    expect((await client.delete('/api/user', { password: PASSWORD })).status).toBe(500);
    // Its owner cannot repeat it.
    expect((await client.get('/api/user')).status).toBe(401);
    // The last hook failed after those that delete in batches.
    expect(failures).toBe(1);
    for (const table of ['thread', 'message', 'usage_record']) {
      expect(await server.dataSource.query(`select 1 from ${table} where user_id = $1 limit 1`, [id])).toEqual([]);
    }
    expect(await server.dataSource.query('select is_suspended from "user" where id = $1', [id])).toEqual([
      { is_suspended: true },
    ]);
    // Nothing takes the mark of the deletion away.
    const revived = [
      admin.patch(`/api/admin/users/${id}`, { isSuspended: false }),
      admin.post(`/api/admin/users/${id}/reset-password`, { newPassword: 'another long enough one' }),
    ];
    expect((await Promise.all(revived)).map(({ status }) => status)).toEqual([404, 404]);

    await server.app.get(AccountDeletion).sweep();
    expect(await server.dataSource.query('select 1 from "user" where id = $1', [id])).toEqual([]);
    await rollup.rollUp();
    expect(await count(`owner = 'user:${id}'`)).toBe(0);
    expect(await count(`owner = 'anonymous'`)).toBe(anonymous + 4100);
  });

  it('is not locked with an account of the quota once it is deleted', async () => {
    const { user } = await server.member();
    await admin.delete(`/api/admin/users/${user.id}`);
    const quotas = server.app.get(QuotaService);
    await server.dataSource.transaction((manager) => quotas.lockAccounts(manager, [userOwner(user.id)]));
    const rows = await server.dataSource.query('select 1 from quota_account where owner = $1', [userOwner(user.id)]);
    expect(rows).toEqual([]);
  });

  it('keeps an account that is only suspended', async () => {
    const { user } = await server.member();
    await admin.patch(`/api/admin/users/${user.id}`, { isSuspended: true });
    await server.app.get(AccountDeletion).sweep();
    expect((await admin.patch(`/api/admin/users/${user.id}`, { isSuspended: false })).status).toBe(200);
  });
});
