import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LinkedIdentity, ProviderAddress, User } from '@tanya/contract';
import { UsersService } from '../../../src/users/users.service.js';
import { errorOf, type HttpClient } from '../../harness/http-client.js';
import { waitForLockWait, withConnection } from '../../harness/lock-waits.js';
import { type Member, PASSWORD } from '../../harness/test-app.js';
import { createGroup } from '../../access/group-harness.js';
import { addPasskey, passkeyLogin } from '../passkey-device.js';
import { idp, server } from './provider-server.js';
import { addProvider, type Asked, askedIn, begin } from './scripted-provider.js';

let provider: { id: number };

beforeAll(async () => {
  provider = await addProvider(server, idp, { provision: 'linked-only', groupClaim: 'groups' });
});

/** Asks to connect a login, with the password. */
async function beginLink({ client }: Pick<Member, 'client'>): Promise<Asked> {
  const answer = await client.post<ProviderAddress>(`/api/auth/oidc/${provider.id}/link`, { password: PASSWORD });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return askedIn(answer.body.url);
}

async function linked(member: Member, sub: string = randomUUID()): Promise<string> {
  const answer = await idp.finish(member.client, await beginLink(member), { sub, email: 'sari@example.org' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/account/security']);
  return sub;
}

const listOf = async (client: HttpClient) => (await client.get<LinkedIdentity[]>('/api/user/identities')).body;

describe('a login that a member connects', () => {
  it('opens the account from then on', async () => {
    const member = await server.member();
    const sub = await linked(member);
    expect(await listOf(member.client)).toMatchObject([
      { label: 'Company', name: 'sari@example.org', lastUsedAt: null, createdAt: expect.any(String) },
    ]);
    const browser = server.client();
    await idp.signIn(browser, provider, { sub });
    expect((await browser.get<User>('/api/user')).body.id).toBe(member.user.id);
    expect(await listOf(member.client)).toMatchObject([{ lastUsedAt: expect.any(String) }]);
    await linked(member, sub);
    expect(await listOf(member.client)).toHaveLength(1);
  });

  it('needs the password, or a sign-in of the last minutes', async () => {
    const { client } = await server.member();
    const path = `/api/auth/oidc/${provider.id}/link`;
    const missing = await client.post(path, {});
    expect([missing.status, errorOf(missing).code]).toEqual([403, 'reauthentication_required']);
    expect(errorOf(await client.post(path, { password: 'wrong' })).code).toBe('invalid_credentials');
    expect((await server.client().post(path, { password: PASSWORD })).status).toBe(401);
  });

  it('is asked for as often as a sign-in is, by a member who has just confirmed, too', async () => {
    const { client } = await server.member();
    const { device } = await addPasskey(client);
    expect((await passkeyLogin(client, device)).status).toBe(200);
    const ask = () => client.post(`/api/auth/oidc/${provider.id}/link`, {});
    const answers = await Promise.all(Array.from({ length: 310 }, ask));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(300);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  it('belongs to one account, also when two people connect it at once', async () => {
    const members = [await server.member(), await server.member()];
    const sub = randomUUID();
    const asked = await Promise.all(members.map(beginLink));
    const answers = await Promise.all(members.map(({ client }, at) => idp.finish(client, asked[at]!, { sub })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(errorOf(refused).details).toEqual({ params: { reason: 'identity_taken' } });
    const lists = await Promise.all(members.map(({ client }) => listOf(client)));
    expect(lists.flat()).toHaveLength(1);
  });

  it('is connected in the session alone that asked for it', async () => {
    const member = await server.member();
    const asked = await beginLink(member);
    const other = await server.member();
    for (const [name, value] of member.client.cookies)
      if (name.startsWith('tanya.oidc-')) other.client.cookies.set(name, value);
    expect(errorOf(await idp.finish(other.client, asked, { sub: randomUUID() })).code).toBe('sign_in_failed');
    expect(await listOf(other.client)).toEqual([]);
    const gone = await beginLink(member);
    await member.client.post('/api/logout');
    expect(errorOf(await idp.finish(member.client, gone, { sub: randomUUID() })).code).toBe('sign_in_failed');
  });

  it('can be disconnected, unless it is the only way in', async () => {
    const open = await addProvider(server, idp);
    const [browser, sub] = [server.client(), randomUUID()];
    await idp.signIn(browser, open, { sub });
    const [only] = await listOf(browser);
    const refused = await browser.delete(`/api/user/identities/${only!.id}`);
    expect([refused.status, errorOf(refused).code]).toEqual([409, 'last_login_method']);

    const member = await server.member();
    await linked(member);
    const [identity] = await listOf(member.client);
    expect((await browser.delete(`/api/user/identities/${identity!.id}`)).status).toBe(404);
    expect((await member.client.delete(`/api/user/identities/${identity!.id}`)).status).toBe(200);
    expect(await listOf(member.client)).toEqual([]);
  });

  it('is the only way in once the provider of another one has another issuer', async () => {
    const open = await addProvider(server, idp);
    const moving = await addProvider(server, idp, { issuer: 'https://before.example.org' });
    const browser = server.client();
    await idp.signIn(browser, open, { sub: randomUUID() });
    const { id } = (await browser.get<User>('/api/user')).body;
    await server.dataSource.query(
      `insert into user_identity (user_id, issuer, subject, provider_id) values ($1, 'https://before.example.org', 'x', $2)`,
      [id, moving.id],
    );
    const change = { issuer: 'https://after.example.org', clientSecret: 'another' };
    const admin = await server.admin();
    expect((await admin.patch(`/api/admin/identity-providers/${moving.id}`, change)).status).toBe(200);
    const [used] = (await listOf(browser)).filter(({ issuer }) => issuer === idp.issuer);
    const refused = await browser.delete(`/api/user/identities/${used!.id}`);
    expect([refused.status, errorOf(refused).code]).toEqual([409, 'last_login_method']);
  });

  it('takes along the other sessions that it began when it is disconnected (ASVS 7.4.3)', async () => {
    const member = await server.member();
    const [lost, kept] = [await linked(member), await linked(member)];
    const [stranger, own, desk] = [server.client(), server.client(), server.client()];
    for (const browser of [stranger, own]) await idp.signIn(browser, provider, { sub: lost });
    await idp.signIn(desk, provider, { sub: kept });
    const [first] = (await listOf(own)).toSorted((a, b) => a.id - b.id);
    expect((await own.delete(`/api/user/identities/${first!.id}`)).status).toBe(200);
    const statuses = await Promise.all(
      [stranger, own, desk, member.client].map(async (browser) => (await browser.get('/api/user')).status),
    );
    expect(statuses).toEqual([401, 200, 200, 200]);
  });

  it('leaves one of two logins when both are disconnected at once', async () => {
    const open = await addProvider(server, idp);
    const browser = server.client();
    await idp.signIn(browser, open, { sub: randomUUID() });
    const { id } = (await browser.get<User>('/api/user')).body;
    await server.dataSource.query(
      `insert into user_identity (user_id, issuer, subject, provider_id) values ($1, $2, $3, $4)`,
      [id, idp.issuer, randomUUID(), open.id],
    );
    const both = await listOf(browser);
    const answers = await Promise.all(both.map((each) => browser.delete(`/api/user/identities/${each.id}`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('takes along what its provider gave when it is disconnected', async () => {
    const group = await createGroup(server, { externalName: randomUUID() });
    const member = await server.member();
    const sub = await linked(member);
    const browser = server.client();
    await idp.signIn(browser, provider, { sub, groups: [group.externalName] });
    const [identity] = await listOf(member.client);
    await member.client.delete(`/api/user/identities/${identity!.id}`);
    const admin = await server.admin();
    const { body } = await admin.get<{ userIds: number[] }>(`/api/admin/groups/${group.id}/members`);
    expect(body.userIds).toEqual([]);
  });

  describe('at a provider that makes admins', () => {
    const isAdmin = async ({ user }: Member) => {
      const [row] = await server.dataSource.query<[{ is_admin: boolean }]>(
        'select is_admin from "user" where id = $1',
        [user.id],
      );
      return row.is_admin;
    };

    let ofAdmins: { id: number };

    beforeAll(async () => {
      const rights = { provision: 'linked-only', groupClaim: 'groups', adminGroup: 'admins' };
      ofAdmins = await addProvider(server, idp, rights);
    });

    it('can be disconnected again when the rights could not be taken', async () => {
      const member = await server.member();
      const sub = await linked(member);
      await idp.signIn(server.client(), ofAdmins, { sub, groups: ['admins'] });
      const client = server.client();
      await client.post('/api/login', { username: member.username, password: PASSWORD });
      const [identity] = await listOf(client);
      const broken = jest.spyOn(server.app.get(UsersService), 'update').mockRejectedValue(new Error('away'));
      expect((await client.delete(`/api/user/identities/${identity!.id}`)).status).toBe(500);
      broken.mockRestore();
      expect(await isAdmin(member)).toBe(true);
      expect((await client.delete(`/api/user/identities/${identity!.id}`)).status).toBe(200);
      expect(await isAdmin(member)).toBe(false);
    });

    it('gives no rights by a sign-in that is going on', async () => {
      const member = await server.member();
      const sub = await linked(member);
      const [identity] = await listOf(member.client);
      const browser = server.client();
      const asked = await begin(browser, ofAdmins);
      await withConnection({ url: server.env.databaseUrl! }, async (client) => {
        await client.query('begin');
        await client.query('lock table provider_grant in share row exclusive mode');
        const signIn = idp.finish(browser, asked, { sub, groups: ['admins'] });
        await waitForLockWait({ url: server.env.databaseUrl! });
        const unlink = member.client.delete(`/api/user/identities/${identity!.id}`);
        await Promise.race([unlink, sleep(500)]);
        await client.query('commit');
        await signIn;
        expect((await unlink).status).toBe(200);
      });
      expect(await isAdmin(member)).toBe(false);
    });
  });

  it('takes along what each provider of its issuer gave', async () => {
    const group = await createGroup(server, { externalName: randomUUID() });
    const fields = { provision: 'linked-only', groupClaim: 'groups', premiumGroup: 'paying' };
    const [first, second] = [await addProvider(server, idp, fields), await addProvider(server, idp, fields)];
    const member = await server.member();
    const sub = await linked(member);
    for (const each of [first, second])
      await idp.signIn(server.client(), each, { sub, groups: [group.externalName, 'paying'] });
    const [identity] = await listOf(member.client);
    expect((await member.client.delete(`/api/user/identities/${identity!.id}`)).status).toBe(200);
    const grants = await server.dataSource.query(
      'select 1 from provider_grant where user_id = $1 and (gives_admin or gives_premium)',
      [member.user.id],
    );
    expect(grants).toEqual([]);
    const admin = await server.admin();
    const { body } = await admin.get<{ userIds: number[] }>(`/api/admin/groups/${group.id}/members`);
    expect(body.userIds).toEqual([]);
  });
});

describe('a sign-in that proves who one is', () => {
  const now = () => Math.floor(Date.now() / 1000);

  it('stands for the password for a while', async () => {
    const member = await server.member();
    const sub = await linked(member);
    const asked = await begin(member.client, provider, '?reauth=true&returnTo=/account/security');
    expect(Object.fromEntries(asked.query)).toMatchObject({ prompt: 'login', max_age: '0' });
    const answer = await idp.finish(member.client, asked, { sub, auth_time: now() });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/account/security']);
    expect((await member.client.post(`/api/auth/oidc/${provider.id}/link`, {})).status).toBe(200);
    const plain = server.client();
    await idp.signIn(plain, provider, { sub, auth_time: now() });
    expect((await plain.post(`/api/auth/oidc/${provider.id}/link`, {})).status).toBe(403);
  });

  it('is refused where the provider asked for nothing, or another person signed in', async () => {
    const [member, other] = [await server.member(), await server.member()];
    const [sub, theirs] = [await linked(member), await linked(other)];
    for (const [claims, reason] of [
      [{ sub, auth_time: now() - 600 }, undefined],
      [{ sub }, undefined],
      [{ sub, auth_time: 'now' as never }, undefined],
      [{ sub: theirs, auth_time: now() }, 'other_account'],
      [{ sub: randomUUID(), auth_time: now() }, 'other_account'],
    ] as const) {
      const asked = await begin(member.client, provider, '?reauth=true');
      const answer = await idp.finish(member.client, asked, claims);
      expect(errorOf(answer).code).toBe('sign_in_failed');
      expect(errorOf(answer).details).toEqual(reason && { params: { reason } });
    }
    expect((await member.client.post(`/api/auth/oidc/${provider.id}/link`, {})).status).toBe(403);
    expect((await member.client.get<User>('/api/user')).body.id).toBe(member.user.id);
  });
});
