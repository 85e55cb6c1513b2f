import { BUILT_IN_TOOLS, type AdminSettings, PLANS, type Thread, type ToolInfo } from '@tanya/contract';
import { AppError } from '../../src/platform/errors/app-error.js';
import { Sandbox } from '../../src/platform/sandbox/sandbox.js';
import type { CalculationTask } from '../../src/tools/built-in/calculation.js';
import { ToolRegistry } from '../../src/tools/tool-registry.js';
import { gate } from '../chat/scripted-tools.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { waitUntil } from '../harness/wait-until.js';
import { identityOf, runTool } from './tool-harness.js';

const SETTINGS = '/api/admin/general-settings';

let server: ChatHarness;
let admin: HttpClient;

beforeAll(async () => {
  server = await startChatHarness({ redis: false });
  admin = await server.admin();
});

afterAll(() => server.close());

const toolsOf = async (client: HttpClient) => (await client.get<ToolInfo[]>('/api/tools')).body;
const names = async (client: HttpClient) => (await toolsOf(client)).map(({ name }) => name);
const switchTo = (builtInTools: Partial<AdminSettings['builtInTools']>) =>
  admin.patch<AdminSettings>(SETTINGS, { builtInTools });

/** Tools that need no service. */
const ALWAYS = ['read_page', 'current_time', 'calculate', 'create_image'];

describe('GET /api/tools', () => {
  it('lists the tools that a member may use', async () => {
    const { client } = await server.member();
    const tools = await toolsOf(client);
    expect(tools.map(({ name }) => name)).toEqual(ALWAYS);
    for (const tool of tools) {
      expect(tool).toEqual({
        name: expect.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
        title: expect.any(String),
        description: expect.any(String),
        server: null,
        policy: 'allow',
      });
    }
  });

  it('lists none for a plan without steps, such as guests by default', async () => {
    const guest = await server.guest();
    expect(await names(guest)).toEqual([]);
    await admin.patch(SETTINGS, { maxSteps: { guest: 1, free: 3, premium: 10 } });
    expect(await names(guest)).toEqual(ALWAYS);
    await switchTo({ calculate: ['free', 'premium'] });
    expect(await names(guest)).not.toContain('calculate');
    await switchTo({ calculate: [...PLANS] });
    await admin.patch(SETTINGS, { maxSteps: { guest: 0, free: 3, premium: 10 } });
  });

  it('follows the switches of each plan', async () => {
    const [free, premium] = [(await server.member()).client, (await server.member({ isPremium: true })).client];
    const saved = await switchTo({ calculate: ['premium'], current_time: [] });
    expect(saved.body.builtInTools).toEqual({
      ...Object.fromEntries(BUILT_IN_TOOLS.map((name) => [name, PLANS])),
      calculate: ['premium'],
      current_time: [],
    });
    expect(await names(free)).toEqual(['read_page', 'create_image']);
    expect(await names(premium)).toEqual(['read_page', 'calculate', 'create_image']);
    await switchTo({ calculate: [...PLANS], current_time: [...PLANS] });
    expect(await names(free)).toEqual(ALWAYS);
  });

  it('refuses a name that the asker may not use', async () => {
    const registry = server.app.get(ToolRegistry);
    await switchTo({ calculate: ['premium'] });
    await expect(registry.offered(identityOf(), ['calculate'])).rejects.toThrow(AppError);
    expect(await registry.offered(identityOf({ isPremium: true }), ['calculate', 'calculate'])).toHaveLength(1);
    await switchTo({ calculate: [...PLANS] });
  });

  it.each([
    [{ builtInTools: [] }],
    [{ builtInTools: { rm: ['free'] } }],
    [{ builtInTools: { calculate: 'free' } }],
    [{ builtInTools: { calculate: ['vip'] } }],
    [{ builtInTools: { calculate: ['free', 'free'] } }],
    [{ builtInTools: { calculate: null } }],
  ])('settings refuse %j', async (changes) => {
    expect((await admin.patch(SETTINGS, changes)).status).toBe(400);
  });
});

describe('the tools of a thread', () => {
  const start = async (client: HttpClient): Promise<string> => {
    const sent = await client.post<{ threadId: number }>('/api/chat/message', { content: 'Halo' });
    return `/api/chat/threads/${sent.body.threadId}`;
  };

  it('are stored for members and guests', async () => {
    for (const client of [(await server.member()).client, await server.guest()]) {
      const path = await start(client);
      expect((await client.get<Thread>(path)).body.tools).toEqual([]);
      const changed = await client.patch<Thread>(path, { tools: ['calculate', 'no-longer-there'] });
      expect(changed.body.tools).toEqual(['calculate', 'no-longer-there']);
      expect((await client.patch<Thread>(path, { title: 'Renamed' })).body.tools).toHaveLength(2);
      expect((await client.patch<Thread>(path, { tools: [] })).body.tools).toEqual([]);
    }
  });

  it('are those of the first message', async () => {
    const { client } = await server.member();
    const sent = await client.post<{ threadId: number }>('/api/chat/message', {
      content: 'Berapa 12 * 12?',
      tools: ['calculate', 'calculate'],
    });
    expect((await client.get<Thread>(`/api/chat/threads/${sent.body.threadId}`)).body.tools).toEqual(['calculate']);
  }, 90_000);

  it.each([
    [{ tools: 'calculate' }],
    [{ tools: ['two words'] }],
    [{ tools: [''] }],
    [{ tools: ['x'.repeat(65)] }],
    [{ tools: [7] }],
    [{ tools: ['a', 'a'] }],
    [{ tools: Array.from({ length: 65 }, (_, index) => `tool-${index}`) }],
  ])('refuse an invalid list, case %#', async (body) => {
    const { client } = await server.member();
    const path = await start(client);
    expect(errorOf(await client.patch(path, body))).toMatchObject({ code: 'invalid', details: [{ field: 'tools' }] });
  });
});

describe('built-in tools', () => {
  it('compute in a process of their own', async () => {
    expect(await runTool(server, 'calculate', { expression: '2^64' })).toEqual({ text: '18446744073709551616' });
    expect(await runTool(server, 'calculate', { expression: 'x = 1' })).toMatchObject({ isError: true });
  }, 90_000);

  it('bound the time of a calculation, and go on with the next (TOOL-2)', async () => {
    const endless = await runTool(server, 'calculate', { expression: 'factorial(9e8)' });
    expect(endless).toMatchObject({ isError: true });
    expect(await runTool(server, 'calculate', { expression: '1+1' })).toEqual({ text: '2' });
  }, 90_000);

  it('compute one expression of a member at a time, and those of others beside it (TOOL-2)', async () => {
    const { opened, open } = gate();
    const started: string[] = [];
    const sandbox = jest.spyOn(Sandbox.prototype, 'run').mockImplementation(async (task) => {
      started.push((task as CalculationTask).expression);
      await opened;
      return { value: '0' };
    });
    const [one, other] = [identityOf(), identityOf()];
    const calls = [
      runTool(server, 'calculate', { expression: '1' }, { asker: one }),
      runTool(server, 'calculate', { expression: '2' }, { asker: one }),
      runTool(server, 'calculate', { expression: '3' }, { asker: other }),
    ];
    await waitUntil('a calculation of each member', () => started.includes('3') && started.length > 1);
    expect(started.toSorted()).toEqual([expect.stringMatching(/[12]/), '3']);
    open();
    expect(await Promise.all(calls)).toEqual(Array(3).fill({ text: '0' }));
    expect(started.toSorted()).toEqual(['1', '2', '3']);
    sandbox.mockRestore();
  });

  it('compute 600 expressions of a member in an hour (TOOL-3)', async () => {
    const sandbox = jest.spyOn(Sandbox.prototype, 'run').mockResolvedValue({ value: '0' });
    const identity = identityOf();
    for (let call = 0; call < 600; call++) await runTool(server, 'calculate', { expression: '0' }, { asker: identity });
    const next = runTool(server, 'calculate', { expression: '0' }, { asker: identity });
    await expect(next).rejects.toMatchObject({ code: 'rate_limited' });
    sandbox.mockRestore();
  });

  it('draw an image through the engine', async () => {
    const prompts: string[] = [];
    const drawImage = async (prompt: string) => {
      prompts.push(prompt);
      return { url: '/api/files/1' };
    };
    const result = await runTool(server, 'create_image', { prompt: 'perahu' }, { drawImage });
    expect(result.images).toEqual([{ url: '/api/files/1', alt: 'perahu' }]);
    expect(prompts).toEqual(['perahu']);
  });

  it('pass a refusal of the quota on', async () => {
    const drawImage = () => Promise.reject(new AppError('quota_exceeded'));
    await expect(runTool(server, 'create_image', { prompt: 'perahu' }, { drawImage })).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
  });
});
