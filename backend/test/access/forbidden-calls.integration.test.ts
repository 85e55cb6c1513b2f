import { randomUUID } from 'node:crypto';
import type { AdminModel, Message, ModelKind, ToolServer } from '@tanya/contract';
import { type ApprovalsHarness, decide, lastMessage, startApprovalsHarness } from '../chat/approvals-harness.js';
import { callsOf, gate, registerTools, ScriptedTool, textOf } from '../chat/scripted-tools.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import type { MemberPage } from '../harness/chat-harness.js';
import { refusalOf } from '../harness/socket-client.js';
import { audioForm } from '../harness/uploads.js';
import { waitUntil } from '../harness/wait-until.js';
import { McpServer } from '../tools/mcp-server.js';
import { addMembers, createGroup, removeMembers } from './group-harness.js';

const MODELS = '/api/admin/models';
const KINDS: ModelKind[] = ['chat', 'image', 'embedding', 'transcription'];
const NO_LONGER = 'You may no longer use this model or tool, so the answer ended. Please choose another one.';

let harness: ApprovalsHarness;
let admin: HttpClient;
let groupId: number;
const models = new Map<ModelKind, AdminModel>();
const slow = new ScriptedTool('slow');

beforeAll(async () => {
  harness = await startApprovalsHarness({ redis: false });
  registerTools(harness, slow);
  admin = await harness.admin();
  groupId = (await createGroup(harness)).id;
  for (const kind of KINDS) {
    const rule = { kind, access: 'groups', groupIds: [groupId] };
    models.set(kind, (await admin.post<AdminModel>(MODELS, { modelId: `closed/${kind}`, ...rule })).body);
  }
});

beforeEach(() => harness.reset());

afterEach(() => harness.settle());

afterAll(() => harness.close());

const usedBy = async ({ client }: Pick<MemberPage, 'client'>): Promise<number> =>
  (await client.get<{ used: number }>('/api/user/quota')).body.used;

const keyOf = async ({ client }: Pick<MemberPage, 'client'>): Promise<string> =>
  (await client.post<{ apiKey: string }>('/api/user/apikey/generate')).body.apiKey;

/** All calls that reach a provider, of the page and of programs, with the status that a forbidden model has. */
async function forbiddenAnswers(
  member: MemberPage,
  key: string,
): Promise<[call: string, status: number, code: unknown][]> {
  const { page, client } = member;
  const own = await page.start('mine');
  await page.ended(own.generationId);
  harness.upstream.calls.length = 0;
  const answers: [string, number, unknown][] = [];
  for (const kind of ['chat', 'image'] as const) {
    const model = `closed/${kind}`;
    const started = refusalOf(await page.tryStart('x', { model }));
    answers.push([`generation:start ${kind}`, started.statusCode, started.code]);
    const again = refusalOf(await page.tryRegenerate(own.aiMessage.id, model));
    answers.push([`generation:regenerate ${kind}`, again.statusCode, again.code]);
    const sent = errorOf(await client.post('/api/chat/message', { content: 'x', model }));
    answers.push([`message ${kind}`, sent.statusCode, sent.code]);
  }
  const headers = { Authorization: `Bearer ${key}` };
  const messages = [{ role: 'user', content: 'x' }];
  const model = 'closed/chat';
  const bodies: [string, object][] = [
    ['chat', { model, messages }],
    ['chat/completions', { model, messages }],
    ['chat/completions', { model, messages, stream: true }],
    ['responses', { model, input: 'x' }],
    ['responses', { model, input: 'x', stream: true }],
    ['responses/compact', { model, input: 'x' }],
    ['responses/input_tokens', { model, input: 'x' }],
    ['embeddings', { model: 'closed/embedding', input: 'x' }],
    ['images/generations', { model: 'closed/image', prompt: 'x' }],
  ];
  for (const [path, body] of bodies) {
    const answer = await harness.client().post<{ error: { code: string } }>(`/api/v1/${path}`, body, { headers });
    answers.push([path, answer.status, answer.body.error.code]);
  }
  const form = { raw: audioForm({ model: 'closed/transcription' }), headers };
  const recorded = await harness
    .client()
    .send<{ error: { code: string } }>('POST', '/api/v1/audio/transcriptions', form);
  answers.push(['audio/transcriptions', recorded.status, recorded.body.error.code]);
  const anthropic = await harness.client().post('/api/v1/messages', { model, messages, max_tokens: 9 }, { headers });
  answers.push(['messages', anthropic.status, 'model_not_found']);
  const counted = await harness.client().post('/api/v1/messages/count_tokens', { model, messages }, { headers });
  answers.push(['messages/count_tokens', counted.status, 'model_not_found']);
  return answers;
}

describe('a model without access', () => {
  it('is unknown to every call, which reaches no provider and is free (AZ-11)', async () => {
    const member = await harness.memberPage();
    for (const [call, status, code] of await forbiddenAnswers(member, await keyOf(member))) {
      const isPage = /^(generation|message) /.test(call) || call.startsWith('generation:');
      expect([call, status, code]).toEqual(isPage ? [call, 400, 'model_unavailable'] : [call, 404, 'model_not_found']);
    }
    expect(harness.upstream.calls).toHaveLength(0);
    expect(await usedBy(member)).toBe(1);
  });

  it('answers a key of a member of the group, unless the key lists other models', async () => {
    const member = await harness.memberPage();
    await addMembers(harness, groupId, [member.user.id]);
    const body = { model: 'closed/chat', messages: [{ role: 'user', content: 'x' }] };
    const send = async (key: string) =>
      (await harness.client().post('/api/v1/chat/completions', body, { headers: { Authorization: `Bearer ${key}` } }))
        .status;
    expect(await send(await keyOf(member))).toBe(200);
    const keyFor = async (model: string) =>
      (await member.client.post<{ key: string }>('/api/user/keys', { name: randomUUID(), models: [model] })).body.key;
    expect(await send(await keyFor('closed/chat'))).toBe(200);
    expect(await send(await keyFor('openai/gpt-4o-mini'))).toBe(404);
  });

  it('does not draw in the image dialog, and no tool offers to draw with it', async () => {
    const member = await harness.memberPage();
    const ids = (await admin.get<AdminModel[]>(MODELS)).body.filter(
      ({ kind, isEnabled }) => kind === 'image' && isEnabled,
    );
    for (const { id } of ids) await admin.patch(`${MODELS}/${id}`, { access: 'groups', groupIds: [] });
    const answer = await member.client.post('/api/generate-image', { prompt: 'x' });
    expect(errorOf(answer).code).toBe('model_unavailable');
    const tools = (await member.client.get<{ name: string }[]>('/api/tools')).body.map(({ name }) => name);
    expect(tools).not.toContain('create_image');
    expect(harness.upstream.calls).toHaveLength(0);
    for (const { id, access, groupIds } of ids) await admin.patch(`${MODELS}/${id}`, { access, groupIds });
    expect((await member.client.get<{ name: string }[]>('/api/tools')).body.map(({ name }) => name)).toContain(
      'create_image',
    );
  });

  it('answers admins', async () => {
    const page = await harness.page(admin);
    const { generationId } = await page.start('x', { model: 'closed/chat' });
    expect((await page.ended(generationId)).message.status).toBe('complete');
  });
});

/** How a member of the group loses the model. */
const LOSSES: [string, (userId: number) => Promise<unknown>][] = [
  ['leaves the group', (userId) => removeMembers(harness, groupId, [userId])],
  [
    'no longer has the model’s group',
    () => admin.patch(`${MODELS}/${models.get('chat')!.id}`, { access: 'groups', groupIds: [] }),
  ],
  ['needs a plan', () => admin.patch(`${MODELS}/${models.get('chat')!.id}`, { access: 'premium' })],
  ['has a disabled model', () => admin.patch(`${MODELS}/${models.get('chat')!.id}/status`, { isEnabled: false })],
];

describe.each(LOSSES)('an asker who %s', (_name, lose) => {
  let member: MemberPage;

  beforeEach(async () => {
    member = await harness.memberPage();
    await addMembers(harness, groupId, [member.user.id]);
  });

  afterEach(async () => {
    const { id } = models.get('chat')!;
    await admin.patch(`${MODELS}/${id}/status`, { isEnabled: true });
    await admin.patch(`${MODELS}/${id}`, { access: 'groups', groupIds: [groupId] });
  });

  it('keeps the answer that streams', async () => {
    const release = harness.upstream.hold(textOf('To the end.'));
    const { generationId } = await member.page.start('x', { model: 'closed/chat' });
    await waitUntil('the request', () => harness.upstream.callsOf().length === 1);
    await lose(member.user.id);
    release();
    expect((await member.page.ended(generationId)).message).toMatchObject({ status: 'complete' });
    expect(await usedBy(member)).toBe(1);
  });

  it('gets no further step: the answer is interrupted and free', async () => {
    const { opened, open } = gate();
    slow.answer = () => opened.then(() => ({ text: 'late' }));
    harness.upstream.script(callsOf('Let me see. ', { id: 'call_1', name: 'slow' }));
    const { generationId } = await member.page.start('x', { model: 'closed/chat', tools: ['slow'] });
    await waitUntil('the call', () => slow.runs.length > 0);
    await lose(member.user.id);
    open();
    const { message } = await member.page.ended(generationId);
    expect(message).toMatchObject({ status: 'interrupted', error: { code: 'interrupted', message: NO_LONGER } });
    expect(harness.upstream.callsOf()).toHaveLength(1);
    expect(await usedBy(member)).toBe(0);
    slow.runs.length = 0;
  });

  it('waits for no approval: the answer is interrupted and free', async () => {
    harness.upstream.script(callsOf('Let me see. ', { id: 'ask_1', name: 'ask_first' }));
    const { threadId, generationId } = await member.page.start('x', { model: 'closed/chat', tools: ['ask_first'] });
    await waitUntil('the wait', async () => (await lastMessage(member.client, threadId))?.status === 'waiting');
    await lose(member.user.id);
    const { message } = await member.page.ended(generationId);
    expect(message).toMatchObject({ status: 'interrupted', error: { message: NO_LONGER } });
    expect((await decide(member.client, generationId, 'ask_1', true)).status).toBe(409);
    expect(harness.upstream.callsOf()).toHaveLength(1);
    expect(await usedBy(member)).toBe(0);
  });
});

it('a wait for a call of a tool server ends with the access to it', async () => {
  const mcp = await new McpServer().start();
  const path = '/api/admin/tool-servers';
  const created = await admin.post<ToolServer>(path, {
    name: 'Docs',
    url: mcp.url,
    access: 'groups',
    groupIds: [groupId],
  });
  const [member, other] = [await harness.memberPage(), await harness.memberPage()];
  await addMembers(harness, groupId, [member.user.id, other.user.id]);
  const wait = async ({ page, client }: MemberPage) => {
    harness.upstream.script(callsOf('Let me see. ', { id: 'ask_1', name: 'docs_lookup' }));
    const started = await page.start('x', { tools: ['docs_lookup'] });
    await waitUntil('the wait', async () => (await lastMessage(client, started.threadId))?.status === 'waiting');
    return started;
  };
  const [first, second] = [await wait(member), await wait(other)];
  await removeMembers(harness, groupId, [member.user.id]);
  const { message } = await member.page.ended(first.generationId);
  expect(message).toMatchObject({ status: 'interrupted', error: { message: NO_LONGER } });
  expect((await lastMessage(other.client, second.threadId))?.status).toBe('waiting');
  harness.upstream.script(textOf('Found.'));
  await decide(other.client, second.generationId, 'ask_1', true);
  expect((await other.page.ended(second.generationId)).message.status).toBe('complete');
  await admin.delete(`${path}/${created.body.id}`);
  mcp.close();
});

it('a thread gets no title from a model that its owner lost meanwhile', async () => {
  const member = await harness.memberPage();
  await addMembers(harness, groupId, [member.user.id]);
  const release = harness.upstream.hold(textOf('A long answer.'));
  const { generationId, threadId } = await member.page.start('what is it', { model: 'closed/chat' });
  await waitUntil('the request', () => harness.upstream.callsOf().length === 1);
  await removeMembers(harness, groupId, [member.user.id]);
  release();
  await member.page.ended(generationId);
  await harness.settle();
  expect((await member.client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body).toHaveLength(2);
  expect(harness.upstream.callsOf()).toHaveLength(1);
});
