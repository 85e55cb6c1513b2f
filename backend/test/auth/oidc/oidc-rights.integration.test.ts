import { randomUUID } from 'node:crypto';
import type { AuditEntry, Group, GroupMembersView, User } from '@tanya/contract';
import { createGroup } from '../../access/group-harness.js';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
import { waitForLockWait, withConnection } from '../../harness/lock-waits.js';
import { idp, server } from './provider-server.js';
import { addProvider, begin } from './scripted-provider.js';

let provider: { id: number };
let admin: HttpClient;

const RIGHTS = { groupClaim: 'groups', adminGroup: 'admins', premiumGroup: 'paying' };

beforeAll(async () => {
  provider = await addProvider(server, idp, RIGHTS);
  admin = await server.admin();
});

/** Signs in with these claims beside the subject. @returns the account */
async function signIn(sub: string, claims: Record<string, unknown>, at = provider): Promise<User> {
  const client = server.client();
  const answer = await idp.signIn(client, at, { sub, ...claims });
  expect([answer.status, answer.text]).toEqual([302, expect.anything()]);
  return (await client.get<User>('/api/user')).body;
}

const membersOf = async ({ id }: Group) => (await admin.get<GroupMembersView>(`/api/admin/groups/${id}/members`)).body;

const namedGroup = () => createGroup(server, { externalName: randomUUID() });

const newestAudit = async (action: string) =>
  (await admin.get<AuditEntry[]>(`/api/admin/audit?action=${action}&limit=1`)).body[0];

describe('groups of an identity provider', () => {
  it('are followed at each login: those of the claim, none of an empty one, the same without one', async () => {
    const [one, two] = [await namedGroup(), await namedGroup()];
    const sub = randomUUID();
    const groupsOf = async (groups: unknown) => {
      const { id } = await signIn(sub, groups === undefined ? {} : { groups });
      const lists = await Promise.all([one, two].map(membersOf));
      return lists.map(({ userIds }) => userIds.includes(id));
    };
    expect(await groupsOf([one.externalName])).toEqual([true, false]);
    expect(await groupsOf([two.externalName, 'unknown', 7, null])).toEqual([false, true]);
    expect(await groupsOf(undefined)).toEqual([false, true]);
    expect(await groupsOf(one.externalName)).toEqual([true, false]);
    expect(await groupsOf([])).toEqual([false, false]);
  });

  it('stay, with an audit row, where there are too many to be listed', async () => {
    const group = await namedGroup();
    const sub = randomUUID();
    const user = await signIn(sub, { groups: [group.externalName, 'admins'] });
    for (const marker of [{ _claim_names: { groups: 'src1' }, _claim_sources: {} }, { hasgroups: true }]) {
      const again = await signIn(sub, marker);
      expect(again.isAdmin).toBe(true);
      expect((await membersOf(group)).userIds).toEqual([user.id]);
      expect(await newestAudit('user.provider_groups')).toMatchObject({
        target: { id: user.id },
        after: { groups: ['overage'], provider: 'Company' },
      });
    }
    await signIn(sub, { groups: [] });
  });

  it('leave alone what admins did by hand, and are not changed by hand', async () => {
    const group = await namedGroup();
    const { user: byHand } = await server.member();
    const path = `/api/admin/groups/${group.id}/members`;
    await admin.post(path, { add: [byHand.id] });
    const sub = randomUUID();
    const { id } = await signIn(sub, { groups: [group.externalName] });
    expect(await membersOf(group)).toEqual({
      userIds: [byHand.id, id],
      provided: [{ userId: id, providerId: provider.id }],
    });
    for (const answer of [await admin.post(path, { remove: [id] }), await admin.put(path, { userIds: [byHand.id] })])
      expect([answer.status, errorOf(answer).details]).toEqual([409, { params: { reason: 'group_member_provider' } }]);
    expect((await admin.put(path, { userIds: [id] })).status).toBe(200);
    await admin.post(path, { add: [id] });
    expect(await membersOf(group)).toEqual({ userIds: [id], provided: [{ userId: id, providerId: provider.id }] });
    await signIn(sub, { groups: [] });
    expect((await membersOf(group)).userIds).toEqual([]);
  });

  it('may stand within another claim', async () => {
    const group = await namedGroup();
    const nested = await addProvider(server, idp, { groupClaim: 'realm_access.roles' });
    const { id } = await signIn(randomUUID(), { realm_access: { roles: [group.externalName] } }, nested);
    expect((await membersOf(group)).userIds).toEqual([id]);
    const named = await addProvider(server, idp, { groupClaim: 'https://example.org/groups' });
    const other = await signIn(randomUUID(), { 'https://example.org/groups': [group.externalName] }, named);
    expect((await membersOf(group)).userIds).toEqual([id, other.id]);
  });
});

describe('rights of an identity provider', () => {
  it('come and go with its groups, and are audited', async () => {
    const sub = randomUUID();
    const rights = async (claims: Record<string, unknown>) => {
      const { isAdmin, isPremium } = await signIn(sub, claims);
      return [isAdmin, isPremium];
    };
    expect(await rights({ groups: ['paying'] })).toEqual([false, true]);
    expect(await rights({ groups: ['admins'] })).toEqual([true, false]);
    expect(await newestAudit('user.update')).toMatchObject({ after: { isPremium: false } });
    expect(await rights({ groups: ['admins', 'paying'] })).toEqual([true, true]);
    expect(await rights({})).toEqual([false, false]);
  });

  it('that an admin gave stay', async () => {
    const sub = randomUUID();
    const { id } = await signIn(sub, {});
    await admin.patch(`/api/admin/users/${id}`, { isAdmin: true, isPremium: true });
    await signIn(sub, { groups: ['admins', 'paying'] });
    expect(await signIn(sub, { groups: [] })).toMatchObject({ isAdmin: true, isPremium: true });
    await admin.patch(`/api/admin/users/${id}`, { isAdmin: false });
  });

  it('end the sessions of a former admin', async () => {
    const sub = randomUUID();
    const client = server.client();
    await idp.signIn(client, provider, { sub, groups: ['admins'] });
    expect((await client.get('/api/admin/users')).status).toBe(200);
    await signIn(sub, { groups: [] });
    expect((await client.get('/api/admin/users')).status).toBe(401);
  });

  it('of the last admin stay, with an audit row', async () => {
    const sub = randomUUID();
    const { id } = await signIn(sub, { groups: ['admins'] });
    await server.dataSource.query('update "user" set is_admin = false where id <> $1', [id]);
    try {
      expect((await signIn(sub, {})).isAdmin).toBe(true);
    } finally {
      await server.dataSource.query(`update "user" set is_admin = true where username = 'admin'`);
    }
    expect(await newestAudit('user.provider_rights')).toMatchObject({
      target: { id },
      after: { isAdmin: 'last_admin' },
    });
    expect((await signIn(sub, {})).isAdmin).toBe(false);
  });

  it('of the last admin with a password stay where admins alone log in with one, with an audit row', async () => {
    const sub = randomUUID();
    const { id } = await signIn(sub, { groups: ['admins'] });
    const { dataSource } = server;
    await dataSource.query('create table kept as select id, password_hash from "user"');
    const [{ password_hash: hash }] = await dataSource.query(
      `select password_hash from "user" where username = 'admin'`,
    );
    await dataSource.query('update "user" set password_hash = case when id = $1 then $2 else $3 end', [
      id,
      hash,
      'none',
    ]);
    await dataSource.query(`update setting set changed = changed || '{"passwordLogin": "admins"}'`);
    try {
      expect((await signIn(sub, {})).isAdmin).toBe(true);
    } finally {
      await dataSource.query(`update setting set changed = changed - 'passwordLogin'`);
      await dataSource.query('update "user" u set password_hash = k.password_hash from kept k where k.id = u.id');
      await dataSource.query('drop table kept');
    }
    expect(await newestAudit('user.provider_rights')).toMatchObject({
      target: { id },
      after: { isAdmin: 'password_login' },
    });
    expect((await signIn(sub, {})).isAdmin).toBe(false);
  });

  it('end after 12 hours with the session; others last 30 days', async () => {
    const hoursOf = async (claims: Record<string, unknown>) => {
      const { id } = await signIn(randomUUID(), claims);
      const [row] = await server.dataSource.query<{ hours: number }[]>(
        `select round(((sess->>'endsAt')::float8 / 1000 - extract(epoch from now())) / 3600)::int as hours
         from session where sess->>'userId' = $1`,
        [String(id)],
      );
      return row!.hours;
    };
    const group = await namedGroup();
    expect(await hoursOf({ groups: ['admins'] })).toBe(12);
    expect(await hoursOf({ groups: [group.externalName] })).toBe(12);
    expect(await hoursOf({ groups: [] })).toBe(30 * 24);
  });

  it('end after 12 hours with the sessions that began before them, too', async () => {
    const sub = randomUUID();
    const { id } = await signIn(sub, { groups: [] });
    await signIn(sub, { groups: ['admins'] });
    const rows = await server.dataSource.query<{ hours: number }[]>(
      `select round(((sess->>'endsAt')::float8 / 1000 - extract(epoch from now())) / 3600)::int as hours
       from session where sess->>'userId' = $1`,
      [String(id)],
    );
    expect(rows.map(({ hours }) => hours)).toEqual([12, 12]);
  });

  it('go with the provider when an admin deletes it', async () => {
    const [group, leaving] = [await namedGroup(), await addProvider(server, idp, RIGHTS)];
    const { id } = await signIn(randomUUID(), { groups: ['admins', 'paying', group.externalName] }, leaving);
    expect((await admin.delete(`/api/admin/identity-providers/${leaving.id}`)).status).toBe(200);
    expect((await membersOf(group)).userIds).toEqual([]);
    const rows = await server.dataSource.query('select is_admin, is_premium from "user" where id = $1', [id]);
    expect(rows).toEqual([{ is_admin: false, is_premium: false }]);
  });

  it('go with the provider also while one of its accounts is removed', async () => {
    const [group, leaving] = [await namedGroup(), await addProvider(server, idp, RIGHTS)];
    const { id } = await signIn(randomUUID(), { groups: [group.externalName] }, leaving);
    await withConnection({ url: server.env.databaseUrl! }, async (client) => {
      await client.query('begin');
      await client.query('delete from group_member where user_id = $1', [id]);
      const deletion = admin.delete(`/api/admin/identity-providers/${leaving.id}`);
      await waitForLockWait({ url: server.env.databaseUrl! });
      await client.query('delete from "user" where id = $1', [id]);
      await client.query('commit');
      expect((await deletion).status).toBe(200);
    });
  });

  it('are given to nobody once the deletion of the provider has begun', async () => {
    const leaving = await addProvider(server, idp, RIGHTS);
    const first = await signIn(randomUUID(), { groups: ['admins'] }, leaving);
    const sub = randomUUID();
    const second = await signIn(sub, { groups: [] }, leaving);
    const browser = server.client();
    const asked = await begin(browser, leaving);
    await withConnection({ url: server.env.databaseUrl! }, async (client) => {
      await client.query('begin');
      await client.query('select from "user" where id = $1 for update', [first.id]);
      const deletion = admin.delete(`/api/admin/identity-providers/${leaving.id}`);
      await waitForLockWait({ url: server.env.databaseUrl! });
      expect((await newestAudit('identity_provider.delete'))?.target.id).not.toBe(leaving.id);
      expect((await idp.finish(browser, asked, { sub, groups: ['admins'] })).status).not.toBe(302);
      await client.query('commit');
      expect((await deletion).status).toBe(200);
      expect((await newestAudit('identity_provider.delete'))?.target.id).toBe(leaving.id);
    });
    const ids = [first.id, second.id];
    expect(await server.dataSource.query('select is_admin from "user" where id = any($1)', [ids])).toEqual([
      { is_admin: false },
      { is_admin: false },
    ]);
  });
});
