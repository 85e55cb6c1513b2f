import type { AdminModel, AdminSettings, ProviderConnection, SearchStatus, ToolInfo } from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { waitUntil } from '../harness/wait-until.js';
import { refusalOf } from '../harness/socket-client.js';
import { type Identity, userOwner } from '../../src/identity/identity.js';
import { AppError } from '../../src/platform/errors/app-error.js';
import { ToolRateLimits } from '../../src/tools/tool-rate-limits.js';
import { ToolRegistry } from '../../src/tools/tool-registry.js';
import { startSearxng } from './searxng-server.js';

const TOOLS = ['web_search', 'calculate'];
const CITATION = { type: 'url_citation', url_citation: { url: 'https://example.org/a', title: 'A' } };

let harness: ChatHarness;
let openRouter: ScriptedUpstream;
let admin: HttpClient;
let member: MemberPage;
let connectionId: number;
let modelId: string;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  openRouter = await startUpstream({ words: 5 });
  admin = await harness.admin();
  const connection = { kind: 'openrouter', name: 'Other router', baseUrl: openRouter.url, apiKey: 'sk-or-12345678' };
  connectionId = (await admin.post<ProviderConnection>('/api/admin/connections', connection)).body.id;
  const model = { modelId: 'router/model', connectionId };
  ({ modelId } = (await admin.post<AdminModel>('/api/admin/models', model)).body);
});

beforeEach(async () => {
  member = await harness.memberPage();
  for (const upstream of [openRouter, harness.upstream]) upstream.calls.length = 0;
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await openRouter.close();
});

const settings = (changes: Partial<AdminSettings>) => admin.patch('/api/admin/general-settings', changes);
const status = async () => (await admin.get<SearchStatus>('/api/admin/search')).body;
const names = async () => (await member.client.get<ToolInfo[]>('/api/tools')).body.map(({ name }) => name);
const toolsOf = (upstream: ScriptedUpstream) => upstream.callsOf()[0]!.body['tools'];

const asker = () => ({ owner: userOwner(member.user.id), userId: member.user.id }) as Identity;

const ask = async (fields: { model?: string } = {}) => {
  const { generationId } = await member.page.start('find it', { tools: TOOLS, ...fields });
  return (await member.page.ended(generationId)).message;
};

describe('the search of OpenRouter', () => {
  it('is passed to a model of its connection, and its citations become sources', async () => {
    expect(await names()).toContain('web_search');
    expect(await status()).toMatchObject({ service: null, isHosted: true });
    openRouter.script({
      steps: [
        { text: 'Cited [1].' },
        { chunk: { choices: [{ index: 0, delta: { annotations: [CITATION] } }] } },
        { finish: 'stop' },
        { done: true },
      ],
    });
    const message = await ask({ model: modelId });
    expect(toolsOf(openRouter)).toEqual([
      { type: 'function', function: expect.objectContaining({ name: 'calculate' }) },
      { type: 'openrouter:web_search', parameters: { max_results: 5, max_total_results: 20 } },
    ]);
    expect(message.notices ?? []).toEqual([]);
    expect(message.parts).toEqual([
      { type: 'text', text: 'Cited [1].' },
      { type: 'source', index: 1, url: 'https://example.org/a', title: 'A' },
    ]);
  });

  it('counts each request as a search, and is left out beyond the limit', async () => {
    for (let number = 0; number < 200; number += 1)
      await harness.app.get(ToolRateLimits).consume('web_search', asker());
    await ask({ model: modelId });
    expect(toolsOf(openRouter)).toEqual([
      { type: 'function', function: expect.objectContaining({ name: 'calculate' }) },
    ]);
  });

  it('is offered in the next step after Postgres was away when it was looked up', async () => {
    const call = { index: 0, id: 'call_1', function: { name: 'calculate', arguments: '{"expression":"1+1"}' } };
    const release = openRouter.hold({
      steps: [
        { chunk: { choices: [{ index: 0, delta: { tool_calls: [call] } }] } },
        { finish: 'tool_calls' },
        { done: true },
      ],
    });
    const { generationId } = await member.page.start('find it', { tools: TOOLS, model: modelId });
    await waitUntil('the first step', () => openRouter.callsOf().length === 1);
    const registry = harness.app.get(ToolRegistry);
    const usable = registry.usable.bind(registry);
    let isAway = true;
    const lookUp = jest.spyOn(registry, 'usable').mockImplementation(async (asker, names) => {
      const isHosted = names.includes('web_search') && names.length === 1;
      if (!isHosted || !isAway) return usable(asker, names);
      isAway = false;
      throw new AppError('storage_unavailable');
    });
    release();
    expect((await member.page.ended(generationId)).message.status).toBe('complete');
    expect(isAway).toBe(false);
    lookUp.mockRestore();
    const [, next] = openRouter.callsOf();
    expect(next!.body['tools']).toContainEqual(expect.objectContaining({ type: 'openrouter:web_search' }));
  });

  it('is left out of the next step once the asker may not use it any more', async () => {
    const call = { index: 0, id: 'call_1', function: { name: 'calculate', arguments: '{"expression":"1+1"}' } };
    const release = openRouter.hold({
      steps: [
        { chunk: { choices: [{ index: 0, delta: { tool_calls: [call] } }] } },
        { finish: 'tool_calls' },
        { done: true },
      ],
    });
    const { generationId } = await member.page.start('find it', { tools: TOOLS, model: modelId });
    await waitUntil('the first step', () => openRouter.callsOf().length === 1);
    await settings({ searchBackend: 'off' });
    release();
    expect((await member.page.ended(generationId)).message.status).toBe('complete');
    await settings({ searchBackend: 'auto' });
    const offered = openRouter
      .callsOf()
      .map(({ body }) => (body['tools'] as { type: string }[]).map(({ type }) => type));
    expect(offered).toEqual([['function', 'openrouter:web_search'], ['function']]);
  });

  it('is left out with a notice for a model of another connection', async () => {
    const message = await ask();
    expect(toolsOf(harness.upstream)).toEqual([
      { type: 'function', function: expect.objectContaining({ name: 'calculate' }) },
    ]);
    expect(message).toMatchObject({ status: 'complete', notices: [{ code: 'search_unsupported' }] });
  });

  it('is not used beside a service of the settings', async () => {
    const searxng = await startSearxng();
    await settings({ searxngUrl: searxng.url });
    expect(await status()).toMatchObject({ service: 'searxng', isHosted: false });
    await ask({ model: modelId });
    expect(toolsOf(openRouter)).toMatchObject([
      { function: { name: 'web_search' } },
      { function: { name: 'calculate' } },
    ]);
    await settings({ searxngUrl: '' });
    searxng.close();
  });

  it('is absent when the search is off, and without an enabled connection', async () => {
    await settings({ searchBackend: 'off' });
    expect(await names()).not.toContain('web_search');
    await settings({ searchBackend: 'auto' });
    expect(await names()).toContain('web_search');
    await admin.patch(`/api/admin/connections/${connectionId}`, { enabled: false });
    expect(await names()).not.toContain('web_search');
    expect(await status()).toMatchObject({ service: null, isHosted: false });
    expect(refusalOf(await member.page.tryStart('find it', { tools: TOOLS })).code).toBe('tool_not_found');
    await admin.patch(`/api/admin/connections/${connectionId}`, { enabled: true });
  });
});
