import { randomUUID } from 'node:crypto';
import {
  PROJECT_LIMITS,
  type Project,
  type ProjectDetails,
  type ProjectMembers,
  type PublicModel,
  type SendMessageResponse,
  type Thread,
} from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { PASSWORD } from '../harness/test-app.js';
import { createProject, lastSystem, PROJECTS, setMembers } from './project-harness.js';

const UNKNOWN = 2_147_483_647;
const INSTRUCTIONS = 'Answer in the words of our style guide.';

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

const detailsOf = async (client: HttpClient, id: number) =>
  (await client.get<ProjectDetails>(`${PROJECTS}/${id}`)).body;

const send = async (client: HttpClient, fields: Record<string, unknown> = {}): Promise<SendMessageResponse> => {
  const answer = await client.post<SendMessageResponse>('/api/chat/message', { content: 'Hello', ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.body;
};

const threadOf = async (client: HttpClient, id: number) => (await client.get<Thread>(`/api/chat/threads/${id}`)).body;

describe('projects', () => {
  it('are created, changed, listed and deleted', async () => {
    const { client, user } = await harness.member();
    const project = await createProject(client, { name: ' Harbour\n', instructions: INSTRUCTIONS });
    expect(project).toEqual({
      id: expect.any(Number),
      name: 'Harbour',
      instructions: INSTRUCTIONS,
      modelId: null,
      tools: [],
      role: 'owner',
      owner: { id: user.id, username: user.username, fullName: null },
      members: [],
      embedding: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const path = `${PROJECTS}/${project.id}`;
    const changed = await client.patch<ProjectDetails>(path, { instructions: null, tools: ['calculate'] });
    expect(changed.body).toMatchObject({ name: 'Harbour', instructions: '', tools: ['calculate'] });
    const { members, embedding, ...listed } = changed.body;
    expect((await client.get<Project[]>(PROJECTS)).body).toEqual([listed]);
    expect([members, embedding]).toEqual([[], null]);
    expect((await client.delete(path)).status).toBe(200);
    expect((await client.get(path)).status).toBe(404);
    expect((await client.get<Project[]>(PROJECTS)).body).toEqual([]);
  });

  it.each([
    {},
    { name: '' },
    { name: 'x'.repeat(PROJECT_LIMITS.name.max + 1) },
    { name: 'x', instructions: 'x'.repeat(PROJECT_LIMITS.instructions.max + 1) },
    { name: 'x', modelId: 'no/such-model' },
    { name: 'x', tools: ['a', 'a'] },
    { name: 'x', owner: 1 },
  ])('refuse the fields %j', async (fields) => {
    const { client } = await harness.member();
    expect(errorOf(await client.post(PROJECTS, fields))).toMatchObject({ statusCode: 400, code: 'invalid' });
    expect((await client.get<Project[]>(PROJECTS)).body).toEqual([]);
  });

  it('offer no tool that the asker may not use', async () => {
    const { client } = await harness.member();
    expect(errorOf(await client.post(PROJECTS, { name: 'x', tools: ['no_such_tool'] }))).toMatchObject({
      code: 'tool_not_found',
    });
  });

  it('are for members alone: guests have none, strangers and admins find none (AZ-12)', async () => {
    const { client } = await harness.member();
    const { id } = await createProject(client);
    const guest = harness.client();
    expect(errorOf(await guest.get(PROJECTS))).toMatchObject({ statusCode: 401, code: 'unauthenticated' });
    const strangers = [(await harness.member()).client, await harness.admin()];
    for (const stranger of strangers) {
      for (const answer of [
        await stranger.get(`${PROJECTS}/${id}`),
        await stranger.patch(`${PROJECTS}/${id}`, { name: 'Mine' }),
        await stranger.delete(`${PROJECTS}/${id}`),
        await stranger.put(`${PROJECTS}/${id}/members`, { members: [] }),
        await stranger.post('/api/chat/message', { content: 'Hello', projectId: id }),
      ])
        expect(errorOf(answer)).toMatchObject({ statusCode: 404, code: 'not_found' });
    }
    expect((await guest.post('/api/chat/message', { content: 'Hello', projectId: id })).status).toBe(404);
    expect(await detailsOf(client, id)).toMatchObject({ role: 'owner' });
  });

  it('have a bound for each owner', async () => {
    const { client, user } = await harness.member();
    await harness.dataSource.query(
      `with made as (insert into project (name) select 'x' from generate_series(1, $1::int) returning id)
       insert into project_member (project_id, user_id, role) select id, $2, 'owner' from made`,
      [PROJECT_LIMITS.projects, user.id],
    );
    expect(errorOf(await client.post(PROJECTS, { name: 'One more' }))).toMatchObject({ statusCode: 409 });
  });
});

describe('members of a project', () => {
  it('are named by username or id, each with a role', async () => {
    const [owner, one, other] = [await harness.member(), await harness.member(), await harness.member()];
    const { id } = await createProject(owner.client);
    const path = `${PROJECTS}/${id}/members`;
    const given = [
      { username: one.user.username.toUpperCase(), role: 'viewer' },
      { userId: other.user.id, role: 'editor' },
      { username: owner.user.username, role: 'viewer' },
    ];
    const { status, body } = await owner.client.put<ProjectMembers>(path, { members: given });
    expect(status).toBe(200);
    expect(body.members.toSorted((a, b) => a.id - b.id)).toEqual(
      [one, other].map(({ user }) => ({
        id: user.id,
        username: user.username,
        fullName: null,
        role: user === one.user ? 'viewer' : 'editor',
      })),
    );
    expect(await detailsOf(one.client, id)).toMatchObject({ role: 'viewer', owner: { id: owner.user.id } });
    await owner.client.put(path, { members: [{ userId: one.user.id, role: 'editor' }] });
    expect(await detailsOf(one.client, id)).toMatchObject({ role: 'editor' });
    expect((await other.client.get(`${PROJECTS}/${id}`)).status).toBe(404);
  });

  it.each([
    [[{ role: 'viewer' }]],
    [[{ username: 'a', userId: 1, role: 'viewer' }]],
    [[{ username: 'a', role: 'owner' }]],
    ['a'],
  ])('are not %j', async (members) => {
    const { client } = await harness.member();
    const { id } = await createProject(client);
    expect((await client.put(`${PROJECTS}/${id}/members`, { members })).status).toBe(400);
  });

  it('may do what their role allows', async () => {
    const [owner, editor, viewer] = [await harness.member(), await harness.member(), await harness.member()];
    const { id } = await createProject(owner.client);
    await setMembers(owner.client, id, { [editor.user.username]: 'editor', [viewer.user.username]: 'viewer' });
    const statusesOf = async ({ client }: typeof owner) => [
      (await client.get(`${PROJECTS}/${id}`)).status,
      (await client.patch(`${PROJECTS}/${id}`, { instructions: 'New' })).status,
      (await client.put(`${PROJECTS}/${id}/members`, { members: [] })).status,
      (await client.delete(`${PROJECTS}/${id}`)).status,
    ];
    expect(await statusesOf(viewer)).toEqual([200, 403, 403, 403]);
    expect(await statusesOf(editor)).toEqual([200, 200, 403, 403]);
    expect(errorOf(await viewer.client.patch(`${PROJECTS}/${id}`, { name: 'x' }))).toMatchObject({ code: 'forbidden' });
    expect(await statusesOf(owner)).toEqual([200, 200, 200, 200]);
  });

  it('are found by their exact name only, sixty tries an hour', async () => {
    const [owner, other] = [await harness.member(), await harness.member()];
    const { id } = await createProject(owner.client);
    const tryName = (username: string) =>
      owner.client.put(`${PROJECTS}/${id}/members`, { members: [{ username, role: 'viewer' }] });
    expect(errorOf(await tryName(other.user.username.slice(0, -1)))).toMatchObject({ statusCode: 404 });
    expect((await tryName(other.user.username)).status).toBe(200);
    for (let tries = 2; tries < 60; tries += 1) expect((await tryName(randomUUID())).status).toBe(404);
    const refused = await tryName(randomUUID());
    expect(errorOf(refused)).toMatchObject({ statusCode: 429, code: 'rate_limited' });
    expect(
      (await owner.client.put(`${PROJECTS}/${id}/members`, { members: [{ userId: UNKNOWN, role: 'viewer' }] })).status,
    ).toBe(429);
    // Who is a member already is no try.
    expect((await tryName(other.user.username)).status).toBe(200);
  });

  it('leave by themselves, and keep their own threads without the project', async () => {
    const [owner, member] = [await harness.member(), await harness.member()];
    const { id } = await createProject(owner.client, { instructions: INSTRUCTIONS });
    await setMembers(owner.client, id, { [member.user.username]: 'viewer' });
    const { threadId } = await send(member.client, { projectId: id });
    const trashed = await send(member.client, { projectId: id });
    await member.client.delete(`/api/chat/threads/${trashed.threadId}`);
    expect((await owner.client.delete(`${PROJECTS}/${id}/members/${owner.user.id}`)).status).toBe(403);
    expect((await member.client.delete(`${PROJECTS}/${id}/members/${owner.user.id}`)).status).toBe(403);
    expect((await member.client.delete(`${PROJECTS}/${id}/members/${member.user.id}`)).status).toBe(200);
    expect((await member.client.get(`${PROJECTS}/${id}`)).status).toBe(404);
    expect(await threadOf(member.client, threadId)).toMatchObject({ id: threadId, projectId: null });
    await send(member.client, { threadId });
    expect(lastSystem(harness.upstream)).not.toContain(INSTRUCTIONS);
    const restored = await member.client.post<Thread>(`/api/chat/threads/${trashed.threadId}/restore`);
    expect(restored.body).toMatchObject({ projectId: null });
  });

  it('get the project when the account of its owner is deleted: the oldest editor; without one it is deleted', async () => {
    const [owner, viewer, first, second] = [
      await harness.member(),
      await harness.member(),
      await harness.member(),
      await harness.member(),
    ];
    const { id } = await createProject(owner.client);
    const names = [viewer, first, second].map(({ user }) => user.username) as [string, string, string];
    await setMembers(owner.client, id, { [names[0]]: 'viewer', [names[1]]: 'editor' });
    await setMembers(owner.client, id, { [names[0]]: 'viewer', [names[1]]: 'editor', [names[2]]: 'editor' });
    const { id: alone } = await createProject(owner.client);
    await setMembers(owner.client, alone, { [names[0]]: 'viewer' });
    expect((await owner.client.delete('/api/user', { password: PASSWORD })).status).toBe(200);
    expect(await detailsOf(first.client, id)).toMatchObject({ role: 'owner', owner: { id: first.user.id } });
    const { members } = await detailsOf(second.client, id);
    expect(members.map(({ role }) => role).toSorted()).toEqual(['editor', 'viewer']);
    expect((await viewer.client.get(`${PROJECTS}/${alone}`)).status).toBe(404);
  });
});

describe('threads of a project', () => {
  it('begin in it, over both transports, and are moved by their owner', async () => {
    const { client, page } = await harness.memberPage();
    const { id } = await createProject(client);
    const { threadId } = await send(client, { projectId: id });
    const started = await page.start('Hello', { projectId: id });
    await page.ended(started.generationId);
    for (const thread of [threadId, started.threadId]) expect((await threadOf(client, thread)).projectId).toBe(id);
    const listed = await client.get<Thread[]>(`/api/chat/threads?projectId=${id}`);
    expect(listed.body.map((thread) => thread.id)).toEqual([started.threadId, threadId]);
    const path = `/api/chat/threads/${threadId}`;
    expect((await client.patch<Thread>(path, { projectId: null })).body.projectId).toBeNull();
    expect((await client.get<Thread[]>(`/api/chat/threads?projectId=${id}`)).body).toHaveLength(1);
    expect((await client.patch<Thread>(path, { projectId: id })).body.projectId).toBe(id);
    expect((await client.patch(path, { title: 'Renamed' })).status).toBe(200);
    expect((await threadOf(client, threadId)).projectId).toBe(id);
    await client.delete(`${PROJECTS}/${id}`);
    expect((await threadOf(client, threadId)).projectId).toBeNull();
  });

  it('do not begin in an unknown project, and do not change it with a send', async () => {
    const { client, page } = await harness.memberPage();
    const { id } = await createProject(client);
    const { threadId } = await send(client);
    const path = `/api/chat/threads/${threadId}`;
    expect((await client.patch(path, { projectId: UNKNOWN })).status).toBe(404);
    expect((await client.post('/api/chat/message', { content: 'Hello', projectId: UNKNOWN })).status).toBe(404);
    const ack = await page.ask('generation:start', {
      clientMessageId: randomUUID(),
      threadId: null,
      model: 'openai/gpt-4o-mini',
      content: { text: 'Hello' },
      projectId: UNKNOWN,
    });
    expect(ack).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect((await client.post('/api/chat/message', { content: 'Hello', threadId, projectId: id })).status).toBe(400);
    for (const projectId of [0, -1, 1.5, 'x', UNKNOWN + 1])
      expect((await client.patch(path, { projectId })).status).toBe(400);
  });

  it('have the instructions of the project in their prompt, of each answer anew', async () => {
    const { client } = await harness.member();
    const { id } = await createProject(client, { name: 'Harbour', instructions: INSTRUCTIONS });
    const { threadId } = await send(client, { projectId: id });
    expect(lastSystem(harness.upstream)).toContain(`Instructions of the project "Harbour":\n"""\n${INSTRUCTIONS}\n"""`);
    await client.patch(`${PROJECTS}/${id}`, { instructions: 'Be brief.' });
    await send(client, { threadId });
    expect(lastSystem(harness.upstream)).toContain('Be brief.');
    expect(lastSystem(harness.upstream)).not.toContain(INSTRUCTIONS);
  });

  it('begin with the model and the tools of the project', async () => {
    const { client } = await harness.member();
    const models = (await client.get<PublicModel[]>('/api/models')).body;
    const { modelId } = models.findLast(
      ({ kind, isEnabled, access }) => kind === 'chat' && isEnabled && access === 'everyone',
    )!;
    const { id } = await createProject(client, { modelId, tools: ['calculate'] });
    const { threadId } = await send(client, { projectId: id });
    expect(await threadOf(client, threadId)).toMatchObject({ modelId, tools: ['calculate'] });
    const chosen = await send(client, { projectId: id, tools: [] });
    expect(await threadOf(client, chosen.threadId)).toMatchObject({ tools: [] });
  });

  it('keep a model that an editor may not use, when the editor saves the rest', async () => {
    const [owner, editor] = [await harness.member({ isPremium: true }), await harness.member()];
    const admin = await harness.admin();
    const modelId = 'openai/gpt-for-premium';
    expect((await admin.post('/api/admin/models', { modelId, name: 'Premium', access: 'premium' })).status).toBe(201);
    const { id } = await createProject(owner.client, { modelId });
    await setMembers(owner.client, id, { [editor.user.username]: 'editor' });
    const path = `${PROJECTS}/${id}`;
    expect((await editor.client.patch(path, { name: 'Renamed', modelId, tools: [] })).status).toBe(200);
    expect(await detailsOf(editor.client, id)).toMatchObject({ name: 'Renamed', modelId });
    await editor.client.patch(path, { modelId: null });
    expect((await editor.client.patch(path, { modelId })).status).toBe(400);
  });

  it('stay private to the person who wrote them (AZ-12)', async () => {
    const [owner, member] = [await harness.member(), await harness.member()];
    const { id } = await createProject(owner.client);
    await setMembers(owner.client, id, { [member.user.username]: 'editor' });
    const { threadId } = await send(member.client, { projectId: id });
    expect((await owner.client.get(`/api/chat/threads/${threadId}`)).status).toBe(404);
    expect((await owner.client.get<Thread[]>(`/api/chat/threads?projectId=${id}`)).body).toEqual([]);
  });
});
