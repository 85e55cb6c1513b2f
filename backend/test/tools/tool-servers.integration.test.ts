import type { AuditEntry, ToolInfo, ToolServer, ToolServerDetails, ToolServerTestResult } from '@tanya/contract';
import { freePort } from '../harness/free-port.js';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { waitForLockWait } from '../harness/lock-waits.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { ToolListStore } from '../../src/tools/servers/tool-list-store.js';
import { McpServer } from './mcp-server.js';

const PATH = '/api/admin/tool-servers';

let server: TestApp;
let admin: HttpClient;
let mcp: McpServer;
/** An address without a server. */
let closed: string;

beforeAll(async () => {
  [server, mcp] = await Promise.all([startTestApp(), new McpServer().start()]);
  admin = await server.admin();
  closed = `http://127.0.0.1:${await freePort()}/mcp`;
});

afterAll(async () => {
  await server.close();
  mcp.close();
});

afterEach(() => mcp.reset());

let count = 0;
const create = async (fields: object = {}): Promise<ToolServer> => {
  const answer = await admin.post<ToolServer>(PATH, { name: `Server ${(count += 1)}`, url: mcp.url, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
};
const patch = (id: number, changes: object) => admin.patch<ToolServer>(`${PATH}/${id}`, changes);
const refresh = async (id: number) => (await admin.post<ToolServer>(`${PATH}/${id}/refresh`)).body;
const offered = async (client: HttpClient, id: number) =>
  (await client.get<ToolInfo[]>('/api/tools')).body.filter((tool) => tool.server?.id === id);
const remove = (id: number) => admin.delete(`${PATH}/${id}`);

describe('registering a server', () => {
  it('lists its tools, which ask and are offered to free and premium members', async () => {
    mcp.tools = [{ name: 'lookup', title: 'Look up', description: 'Looks up a word.' }, { name: 'other' }];
    const created = await create({ name: 'My Docs' });
    expect(created).toMatchObject({
      id: expect.any(Number),
      name: 'My Docs',
      url: mcp.url,
      plans: ['free', 'premium'],
      tools: [
        { name: 'lookup', title: 'Look up', policy: 'ask', state: 'active', toolName: 'my-docs_lookup' },
        { name: 'other', title: 'other', policy: 'ask', state: 'active', toolName: 'my-docs_other' },
      ],
      leftOut: 0,
      lastError: null,
      lastSuccess: expect.any(String),
    });
    const { client } = await server.member();
    expect(await offered(client, created.id)).toEqual([
      {
        name: 'my-docs_lookup',
        title: 'Look up',
        description: 'Looks up a word.',
        server: { id: created.id, name: 'My Docs' },
        policy: 'ask',
      },
      expect.objectContaining({ name: 'my-docs_other' }),
    ]);
    await remove(created.id);
    expect(await offered(client, created.id)).toEqual([]);
    expect((await admin.get(`${PATH}/${created.id}`)).status).toBe(404);
  });

  it('sends its headers to the server and never returns their values (TOOL-7)', async () => {
    const created = await create({ headers: { Authorization: 'Bearer secret-of-mcp', 'X-Team': 'docs' } });
    expect(created.headerNames).toEqual(['Authorization', 'X-Team']);
    expect(mcp.of('tools/list')[0]!.headers).toMatchObject({ authorization: 'Bearer secret-of-mcp', 'x-team': 'docs' });
    expect((await admin.get(PATH)).text).not.toContain('secret-of-mcp');
    const [row] = await server.dataSource.query<[{ text: string }]>(
      'select t::text as text from tool_server t where id = $1',
      [created.id],
    );
    expect(row.text).not.toContain('secret-of-mcp');
    await remove(created.id);
  });

  it('opens no stream and keeps no session', async () => {
    const { id } = await create();
    await remove(id);
    expect(mcp.requests.map(({ httpMethod, method }) => method ?? httpMethod)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'DELETE',
    ]);
  });

  it('keeps a server that does not answer, with its error', async () => {
    const created = await create({ url: closed });
    expect(created).toMatchObject({ tools: [], lastError: { fault: 'refused' }, lastSuccess: null });
    await remove(created.id);
  });

  it.each([
    [{ url: 'file:///etc/passwd' }, 'url'],
    [{ url: 'ws://127.0.0.1/mcp' }, 'url'],
    [{ url: 'npx -y some-server' }, 'url'],
    [{ url: 'http://user:password@127.0.0.1/mcp' }, 'url'],
    [{ url: 'http://169.254.169.254/latest' }, 'url'],
    [{ url: 7 }, 'url'],
    [{ name: ' ' }, 'name'],
    [{ plans: ['vip'] }, 'plans'],
    [{ headers: [] }, 'headers'],
    [{ headers: { 'a b': 'x' } }, 'headers'],
    [{ headers: { Host: 'x' } }, 'headers'],
    [{ headers: { 'Mcp-Session-Id': 'x' } }, 'headers'],
    [{ headers: { 'X-A': 'a\r\nX-B: b' } }, 'headers'],
    [{ headers: { 'X-A': 7 } }, 'headers'],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, 'headers'],
    [{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`X-${index}`, 'x'])) }, 'headers'],
  ])('refuses %j', async (fields, field) => {
    const answer = await admin.post(PATH, { name: `Refused ${(count += 1)}`, url: mcp.url, ...fields });
    expect(answer.status).toBe(400);
    expect(refusedField(answer)).toBe(field);
    expect(mcp.requests).toEqual([]);
  });

  it.each([
    ['registers', () => create().then(({ id }) => id)],
    ['changes', async () => (await patch((await create()).id, { url: `${mcp.url}?team=1` })).body.id],
  ])('%s a server while Postgres does not take the list of its tools', async (_, store) => {
    const away = Object.assign(new Error('terminating connection'), { code: '57P01' });
    const spy = jest.spyOn(server.app.get(ToolListStore), 'store').mockRejectedValue(away);
    const id = await store();
    spy.mockRestore();
    expect(await refresh(id)).toMatchObject({ id, tools: [{ name: 'lookup' }] });
    await remove(id);
  });

  it('can be changed while a session stores the list of its tools', async () => {
    const { id } = await create();
    let listed!: Promise<ToolServer>;
    await server.dataSource.transaction(async (manager) => {
      await manager.query('select 1 from tool_server where id = $1 for update', [id]);
      listed = refresh(id);
      await waitForLockWait({ url: server.env.databaseUrl! });
      await manager.query(`update server_tool set policy = 'allow' where server_id = $1`, [id]);
    });
    expect(await listed).toMatchObject({ tools: [{ policy: 'allow' }], lastError: null });
    await remove(id);
  });

  it('refuses a name in use, also when two admins take it at once', async () => {
    const name = `Twice ${(count += 1)}`;
    const answers = await Promise.all([1, 2].map(() => admin.post<ToolServer>(PATH, { name, url: mcp.url })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(errorOf(answers.find(({ status }) => status === 409)!)).toMatchObject({ code: 'conflict' });
    await remove(answers.find(({ status }) => status === 201)!.body.id);
  });

  it('gives tools of two servers different names', async () => {
    const [one, two] = [await create({ name: 'Same name' }), await create({ name: 'Same-Name!' })];
    expect(one.tools[0]!.toolName).toBe('same-name_lookup');
    expect(two.tools[0]!.toolName).toMatch(/^same-name_lookup_[0-9a-f]{8}$/);
    await Promise.all([remove(one.id), remove(two.id)]);
  });
});

describe('a test before a server is saved', () => {
  const test = (request: object) => admin.post<ToolServerTestResult>(`${PATH}/test`, request);

  it('counts the tools and stores nothing', async () => {
    const before = (await admin.get<ToolServer[]>(PATH)).body;
    const answer = await test({ url: mcp.url, headers: { Authorization: 'Bearer secret' } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ok: true, tools: expect.any(Number), leftOut: 0, ms: expect.any(Number) });
    expect(mcp.of('tools/list')[0]!.headers).toMatchObject({ authorization: 'Bearer secret' });
    expect((await admin.get<ToolServer[]>(PATH)).body).toEqual(before);
  });

  it('names the fault of a server that cannot be used', async () => {
    expect((await test({ url: closed })).body).toMatchObject({ ok: false, fault: 'refused' });
    expect(refusedField(await test({}))).toBe('url');
    expect(refusedField(await test({ url: 'http://169.254.169.254/' }))).toBe('url');
    expect(refusedField(await test({ url: mcp.url, headers: { Authorization: null } }))).toBe('headers');
    expect((await test({ id: 999_999 })).status).toBe(404);
  });

  it('uses the stored headers of a saved server, at its own host alone (TOOL-7)', async () => {
    const { id } = await create({ headers: { Authorization: 'Bearer secret' } });
    mcp.requests.length = 0;
    expect((await test({ id, url: `${mcp.url}/other` })).body.ok).toBe(true);
    expect(mcp.of('tools/list')[0]!.headers).toMatchObject({ authorization: 'Bearer secret' });
    expect(refusedField(await test({ id, url: closed }))).toBe('headers');
    expect((await admin.get<ToolServer>(`${PATH}/${id}`)).body.url).toBe(mcp.url);
    await remove(id);
  });
});

describe('a registered server', () => {
  it('offers tools by policy and plan', async () => {
    const { id } = await create({ plans: ['premium'] });
    const [free, premium] = [(await server.member()).client, (await server.member({ isPremium: true })).client];
    expect([await offered(free, id), (await offered(premium, id)).length]).toEqual([[], 1]);
    expect((await patch(id, { plans: ['free'], tools: { lookup: 'allow' } })).body).toMatchObject({
      plans: ['free'],
      tools: [{ name: 'lookup', policy: 'allow' }],
    });
    expect([(await offered(free, id))[0]!.policy, await offered(premium, id)]).toEqual(['allow', []]);
    await patch(id, { tools: { lookup: 'deny' } });
    expect(await offered(free, id)).toEqual([]);
    await remove(id);
  });

  it('shows changed policies in the audit log, also of a tool that is named after a secret', async () => {
    mcp.tools = [{ name: 'reset_password' }, { name: 'list_tokens' }];
    const { id } = await create();
    await patch(id, { tools: { reset_password: 'allow' } });
    const [entry] = (await admin.get<AuditEntry[]>('/api/admin/audit?limit=1')).body;
    expect(entry).toMatchObject({
      before: { tools: ['reset_password: ask'] },
      after: { tools: ['reset_password: allow'] },
    });
    await remove(id);
  });

  it('offers a changed tool after an admin has accepted the change (TOOL-5)', async () => {
    const { client } = await server.member();
    const { id } = await create();
    await patch(id, { tools: { lookup: 'allow' } });
    mcp.tools = [{ name: 'lookup', inputSchema: { type: 'object', properties: { word: { type: 'string' } } } }];
    expect((await refresh(id)).tools).toMatchObject([{ name: 'lookup', state: 'changed', policy: 'allow' }]);
    expect(await offered(client, id)).toEqual([]);
    const { definitions } = (await admin.get<ToolServerDetails>(`${PATH}/${id}`)).body;
    expect(definitions).toMatchObject([
      { accepted: { schema: { type: 'object' } }, changed: { schema: { properties: { word: { type: 'string' } } } } },
    ]);
    const stale = await patch(id, { accept: ['lookup'], hashes: { lookup: 'another' } });
    expect([stale.status, errorOf(stale).code]).toEqual([409, 'conflict']);
    const accepted = await patch(id, { accept: ['lookup'], hashes: { lookup: definitions[0]!.changed!.hash } });
    expect(accepted.body.tools).toMatchObject([{ state: 'active', policy: 'allow' }]);
    expect(await offered(client, id)).toHaveLength(1);
    expect((await patch(id, { accept: ['lookup'] })).status).toBe(200);
    await remove(id);
  });

  it('keeps the policy of a tool that disappears and returns', async () => {
    const { id } = await create();
    await patch(id, { tools: { lookup: 'deny' } });
    mcp.tools = [];
    expect((await refresh(id)).tools).toEqual([]);
    mcp.reset();
    expect((await refresh(id)).tools).toMatchObject([{ name: 'lookup', policy: 'deny', state: 'active' }]);
    await remove(id);
  });

  it('takes no tool for a changed one whose hash is that of an earlier version', async () => {
    const listed = (...required: string[]) => [{ name: 'lookup', inputSchema: { type: 'object', required } }];
    mcp.tools = listed('a', 'b');
    const { id } = await create();
    await server.dataSource.query(`update server_tool set accepted_hash = 'earlier' where server_id = $1`, [id]);
    mcp.tools = listed('b', 'a');
    expect((await refresh(id)).tools).toMatchObject([{ name: 'lookup', state: 'active' }]);
    await remove(id);
  });

  it('needs its headers again for another host (TOOL-7)', async () => {
    const { id } = await create({ headers: { Authorization: 'Bearer secret' } });
    const elsewhere = await patch(id, { url: closed });
    expect(refusedField(elsewhere)).toBe('headers');
    expect((await patch(id, { url: `${mcp.url}/other` })).status).toBe(200);
    const moved = await patch(id, { url: closed, headers: {} });
    expect(moved.body).toMatchObject({ headerNames: [], lastError: { fault: 'refused' } });
    await remove(id);
  });

  it('keeps the stored values of headers that are sent as null (TOOL-7)', async () => {
    const { id } = await create({ headers: { Authorization: 'Bearer secret', 'X-Team': 'docs' } });
    mcp.requests.length = 0;
    const changed = await patch(id, { headers: { authorization: null, 'X-Team': 'handbook', 'X-New': '1' } });
    expect(changed.body).toMatchObject({ headerNames: ['authorization', 'X-Team', 'X-New'], lastError: null });
    expect(changed.text).not.toContain('secret');
    expect(mcp.of('tools/list')[0]!.headers).toMatchObject({
      authorization: 'Bearer secret',
      'x-team': 'handbook',
      'x-new': '1',
    });
    expect((await patch(id, { headers: null })).body.headerNames).toEqual(['authorization', 'X-Team', 'X-New']);
    expect((await patch(id, { headers: { 'X-Team': null } })).body.headerNames).toEqual(['X-Team']);
    expect(refusedField(await patch(id, { headers: { Authorization: null } }))).toBe('headers');
    expect(refusedField(await patch(id, { url: closed, headers: { 'X-Team': null } }))).toBe('headers');
    expect((await patch(id, {})).body).toMatchObject({ url: mcp.url, headerNames: ['X-Team'] });
    await remove(id);
  });

  it.each([
    [{ tools: { unknown: 'allow' } }, 400],
    [{ tools: { lookup: 'always' } }, 400],
    [{ tools: ['lookup'] }, 400],
    [{ accept: ['unknown'] }, 400],
    [{ accept: 'lookup' }, 400],
    [{ name: null }, 400],
    [{}, 200],
  ])('answers the change %j with %i', async (changes, status) => {
    const { id } = await create();
    expect((await patch(id, changes)).status).toBe(status);
    await remove(id);
  });

  it('answers calls for an unknown server with 404', async () => {
    const path = `${PATH}/999999`;
    const answers = [admin.get(path), admin.patch(path, {}), admin.post(`${path}/refresh`), admin.delete(path)];
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('has a limit', async () => {
    const made: ToolServer[] = [];
    for (let answer = await admin.post<ToolServer>(PATH, { name: 'Limit 0', url: closed }); ;) {
      if (answer.status !== 201) {
        expect([answer.status, made.length]).toEqual([409, 20]);
        break;
      }
      made.push(answer.body);
      answer = await admin.post<ToolServer>(PATH, { name: `Limit ${made.length}`, url: closed });
    }
    await Promise.all(made.map(({ id }) => remove(id)));
  });
});
