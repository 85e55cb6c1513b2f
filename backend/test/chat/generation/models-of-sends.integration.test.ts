import type { AdminModel, MessageContent, SendMessageResponse } from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../../harness/chat-harness.js';
import { errorOf } from '../../harness/http-client.js';
import { refusalOf } from '../../harness/socket-client.js';
import { waitUntil } from '../../harness/wait-until.js';

const usedBy = async ({ client }: MemberPage): Promise<number> =>
  (await client.get<{ used: number }>('/api/user/quota')).body.used;

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

describe('a model', () => {
  it('of a send must exist, be enabled and be included in the plan (AZ-8)', async () => {
    const [free, premium] = [await harness.memberPage(), await harness.memberPage({ isPremium: true })];
    const admin = await harness.admin();
    const create = async (modelId: string, fields: object) => {
      const answer = await admin.post<AdminModel>('/api/admin/models', {
        modelId,
        name: modelId,
        provider: 'Scripted',
        ...fields,
      });
      expect(answer.status).toBe(201);
    };
    await create('scripted/off', { isEnabled: false });
    await create('scripted/gold', { isPremium: true });
    const refused: [string, string, number][] = [
      ['no/such', 'model_unavailable', 400],
      ['scripted/off', 'model_unavailable', 400],
      ['scripted/gold', 'model_premium', 403],
    ];
    for (const [model, code, statusCode] of refused) {
      expect(refusalOf(await free.page.tryStart('x', { model }))).toMatchObject({ code, statusCode });
      const rest = await free.client.post('/api/chat/message', { content: 'x', model });
      expect(errorOf(rest)).toMatchObject({ code, statusCode });
    }
    expect(await usedBy(free)).toBe(0);
    const started = await premium.page.start('x', { model: 'scripted/gold' });
    expect((await premium.page.ended(started.generationId)).message.status).toBe('complete');
  });

  it('for images costs seven credits and answers with a stored picture', async () => {
    const member = await harness.memberPage();
    const { generationId, quota } = await member.page.start('a lighthouse', { model: 'openai/gpt-image-1' });
    expect(quota.used).toBe(7);
    const { message } = await member.page.ended(generationId);
    const content = JSON.parse(message.content) as MessageContent;
    expect(content).toMatchObject({ type: 'image_generation', text: 'a lighthouse' });
    const picture = await member.client.get(content.imageUrl!);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(harness.upstream.callsOf('images').at(-1)?.body).toMatchObject({ prompt: 'a lighthouse' });
    expect(await usedBy(member)).toBe(7);
    const stranger = await harness.memberPage();
    expect((await stranger.client.get(content.imageUrl!)).status).toBe(404);
  });

  it('for images is listed under either of its names', async () => {
    const member = await harness.memberPage();
    const { generationId, aiMessage } = await member.page.start('a lake', { model: 'gpt-image-1' });
    expect(aiMessage.modelId).toBe('openai/gpt-image-1');
    expect((await member.page.ended(generationId)).message.status).toBe('complete');
    const rest = await member.client.post<SendMessageResponse>('/api/chat/message', {
      content: 'a hill',
      model: 'gpt-image-1',
    });
    expect(JSON.parse(rest.body.aiMessage.content)).toMatchObject({ type: 'image_generation', text: 'a hill' });
    expect(await usedBy(member)).toBe(14);
  });

  it('for images that fails or is stopped is free of charge', async () => {
    const member = await harness.memberPage();
    harness.upstream.script({ on: 'images', status: 400, body: JSON.stringify({ error: { message: 'moderation' } }) });
    const failed = await member.page.start('no', { model: 'openai/gpt-image-1' });
    expect((await member.page.ended(failed.generationId)).message).toMatchObject({
      status: 'error',
      error: { code: 'provider_refused' },
    });
    harness.upstream.script({ on: 'images', after: new Promise(() => undefined), status: 200 });
    const called = harness.upstream.callsOf('images').length;
    const stopped = await member.page.start('stop', { model: 'openai/gpt-image-1' });
    // A stop before the call would leave the script to the next test.
    await waitUntil('the call', () => harness.upstream.callsOf('images').length > called);
    await member.page.tryStop(stopped.generationId);
    expect((await member.page.ended(stopped.generationId)).message.status).toBe('stopped');
    expect(await usedBy(member)).toBe(0);
  });

  it('for images is charged the same outside of a conversation', async () => {
    const member = await harness.memberPage();
    const answer = await member.client.post<{ url: string; cost: number }>('/api/generate-image', { prompt: 'a cat' });
    expect(answer.body).toMatchObject({ cost: 7 });
    expect(harness.upstream.callsOf('images').at(-1)?.body).toMatchObject({ prompt: 'a cat' });
    expect(await usedBy(member)).toBe(7);
  });
});
