import { INSTRUCTIONS_MAX, type Preferences, type SendMessageResponse, type Thread } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { refusalOf } from '../harness/socket-client.js';
import { PASSWORD } from '../harness/test-app.js';

const PATH = '/api/user/preferences';
const DEFAULTS: Preferences = { modelId: null, aboutMe: '', howToAnswer: '', useInstructions: true };
const INSTRUCTIONS = { aboutMe: 'I teach physics.', howToAnswer: 'Use metric units.' };

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

/** The system message that the provider received last. */
const lastSystem = (): string => {
  const { messages } = harness.upstream.callsOf().at(-1)!.body as { messages: { role: string; content: string }[] };
  return messages.find(({ role }) => role === 'system')?.content ?? '';
};

const storedOf = async (client: HttpClient) => (await client.get<Preferences>(PATH)).body;

const countOf = async (userId: number): Promise<number> => {
  const sql = 'select count(*) from user_preference where user_id = $1';
  return (await harness.dataSource.query<[{ count: number }]>(sql, [userId]))[0].count;
};

describe('the preferences of an account', () => {
  it('have defaults, and keep what a change does not name', async () => {
    const { client } = await harness.member();
    expect(await storedOf(client)).toEqual(DEFAULTS);
    expect((await client.patch(PATH, {})).body).toEqual(DEFAULTS);
    const changed = await client.patch<Preferences>(PATH, { modelId: 'openai/gpt-4o', aboutMe: ' I teach physics.\n' });
    expect([changed.status, changed.body]).toEqual([
      200,
      { ...DEFAULTS, modelId: 'openai/gpt-4o', aboutMe: 'I teach physics.' },
    ]);
    await client.patch(PATH, { useInstructions: false });
    await client.patch(PATH, { modelId: null });
    expect(await storedOf(client)).toEqual({ ...DEFAULTS, aboutMe: 'I teach physics.', useInstructions: false });
  });

  it('keep both of two parallel changes', async () => {
    const { client } = await harness.member();
    const changes = [{ aboutMe: 'a' }, { howToAnswer: 'b' }, { modelId: 'c' }, { useInstructions: false }];
    const answers = await Promise.all(changes.map((change) => client.patch(PATH, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await storedOf(client)).toEqual({ aboutMe: 'a', howToAnswer: 'b', modelId: 'c', useInstructions: false });
  });

  it('belong to members only, each to their own (AZ-1)', async () => {
    const [one, other] = [await harness.member(), await harness.member()];
    await one.client.patch(PATH, INSTRUCTIONS);
    expect(await storedOf(other.client)).toEqual(DEFAULTS);
    const guest = await harness.guest();
    for (const answer of [await guest.get(PATH), await guest.patch(PATH, INSTRUCTIONS)]) {
      expect(errorOf(answer).code).toBe('unauthenticated');
    }
  });

  it.each([
    { aboutMe: 'x'.repeat(INSTRUCTIONS_MAX + 1) },
    { howToAnswer: 'x'.repeat(INSTRUCTIONS_MAX + 1) },
    { aboutMe: null },
    { howToAnswer: ['x'] },
    { modelId: '' },
    { modelId: 'x'.repeat(201) },
    { modelId: 7 },
    { useInstructions: 'yes' },
    { useInstructions: null },
    { userId: 1 },
  ])('refuse %j (LIM-1)', async (change) => {
    const { client } = await harness.member();
    expect(errorOf(await client.patch(PATH, change))).toMatchObject({ code: 'invalid', statusCode: 400 });
  });

  it('are part of the export, and are deleted with the account', async () => {
    const { client, user } = await harness.member();
    expect((await client.get<{ preferences: Preferences[] }>('/api/user/export')).body.preferences).toEqual([]);
    await client.patch(PATH, INSTRUCTIONS);
    const exported = await client.get<{ preferences: Preferences[] }>('/api/user/export');
    expect(exported.body.preferences).toEqual([{ ...DEFAULTS, ...INSTRUCTIONS }]);
    expect(await countOf(user.id)).toBe(1);
    expect((await client.delete('/api/user', { password: PASSWORD })).status).toBe(200);
    expect(await countOf(user.id)).toBe(0);
  });

  it('are described in the API documentation, and so are attachments', async () => {
    const { body } = await harness.client().get<{
      paths: Record<string, Record<string, unknown>>;
      components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
    }>('/api/docs-json');
    expect(body.paths[PATH]).toMatchObject({
      get: {
        responses: { 200: { content: { 'application/json': { schema: { $ref: expect.anything() as string } } } } },
      },
      patch: { requestBody: expect.anything() as object },
    });
    const { schemas } = body.components;
    expect(Object.keys(schemas.UpdatePreferencesDto?.properties ?? {})).toEqual(expect.arrayContaining(['aboutMe']));
    expect(schemas.OutgoingMessageDto?.properties?.attachments).toMatchObject({ type: 'array', maxItems: 10 });
  });

  it('are announced to the pages of the account when the instructions change', async () => {
    const { client, page } = await harness.memberPage();
    await client.patch(PATH, { aboutMe: 'new' });
    await page.until(() => page.received.includes('settings:changed'));
  });
});

describe('custom instructions', () => {
  const member = async () => {
    const opened = await harness.memberPage();
    await opened.client.patch(PATH, INSTRUCTIONS);
    return opened;
  };

  it('follow the prompt of the installation in every send', async () => {
    const { client, page } = await member();
    const { threadId, aiMessage, generationId } = await page.start('hi');
    await page.ended(generationId);
    const admin = await harness.admin();
    const { body: settings } = await admin.get<{ systemPrompt: string }>('/api/general-settings');
    expect(lastSystem().startsWith(settings.systemPrompt)).toBe(true);
    expect(lastSystem()).toContain('I teach physics.');
    expect(lastSystem()).toContain('Use metric units.');
    await page.ended((await page.start('again', { threadId })).generationId);
    expect(lastSystem()).toContain('I teach physics.');
    await client.patch(PATH, { aboutMe: 'I teach music.' });
    const regenerated = await page.tryRegenerate(aiMessage.id);
    if (regenerated.ok) await page.ended(regenerated.data.generationId);
    expect(lastSystem()).toContain('I teach music.');
  });

  it('of one account are in no prompt of others, of guests and of programs (AZ-4)', async () => {
    const { client, page } = await member();
    await page.ended((await page.start('mine')).generationId);
    const other = await harness.memberPage();
    await other.page.ended((await other.page.start('theirs')).generationId);
    expect(lastSystem()).not.toContain('physics');
    const guest = await harness.page(await harness.guest());
    await guest.ended((await guest.start('a guest')).generationId);
    expect(lastSystem()).not.toContain('physics');
    const { apiKey } = (await client.post<{ apiKey: string }>('/api/user/apikey/generate')).body;
    const messages = [{ role: 'user', content: 'a program' }];
    await client.post('/api/v1/chat', { messages }, { headers: { Authorization: `Bearer ${apiKey}` } });
    expect(JSON.stringify(harness.upstream.callsOf().at(-1)!.body)).not.toContain('physics');
  });

  it('are switched off for one thread, and stay on for others', async () => {
    const { client, page } = await member();
    const { threadId, generationId } = await page.start('hi');
    await page.ended(generationId);
    expect((await client.get<Thread>(`/api/chat/threads/${threadId}`)).body.useInstructions).toBeNull();
    const off = await client.patch<Thread>(`/api/chat/threads/${threadId}`, { useInstructions: false });
    expect([off.status, off.body.useInstructions]).toEqual([200, false]);
    await page.ended((await page.start('without', { threadId })).generationId);
    expect(lastSystem()).not.toContain('physics');
    await page.ended((await page.start('another thread')).generationId);
    expect(lastSystem()).toContain('physics');
  });

  it('are switched off for the account, and on for one thread', async () => {
    const { client, page } = await member();
    await client.patch(PATH, { useInstructions: false });
    await page.ended((await page.start('without')).generationId);
    expect(lastSystem()).not.toContain('physics');
    const { threadId, generationId } = await page.start('with', { useInstructions: true });
    await page.ended(generationId);
    expect(lastSystem()).toContain('physics');
    await page.ended((await page.start('still with', { threadId })).generationId);
    expect(lastSystem()).toContain('physics');
  });

  it('are chosen for a new thread alone by a send, over REST too', async () => {
    const { client } = await member();
    const send = (fields: object) =>
      client.post<SendMessageResponse>('/api/chat/message', { content: 'hi', useInstructions: false, ...fields });
    const { status, body } = await send({});
    expect(status).toBe(201);
    expect(lastSystem()).not.toContain('physics');
    expect(errorOf(await send({ threadId: body.threadId })).code).toBe('invalid');
  });

  it('of a thread are switched by its owner alone (AZ-1)', async () => {
    const { page } = await member();
    const { threadId, generationId } = await page.start('hi');
    await page.ended(generationId);
    const { client: stranger } = await harness.member();
    const answer = await stranger.patch(`/api/chat/threads/${threadId}`, { useInstructions: false });
    expect(errorOf(answer).code).toBe('not_found');
    expect(refusalOf(await page.tryStart('x', { threadId, useInstructions: true })).code).toBe('invalid');
  });
});
