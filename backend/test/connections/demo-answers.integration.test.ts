import type { Message, ProviderConnection } from '@tanya/contract';
import { startChatHarness, type ChatHarness } from '../harness/chat-harness.js';

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

afterAll(() => harness.close());

describe('a message', () => {
  it('carries that the demo answers while no provider is available', async () => {
    const admin = await harness.admin();
    const member = await harness.memberPage();
    const openai = (await admin.get<ProviderConnection[]>('/api/admin/connections')).body[1]!;
    const first = await member.page.start('hello');
    expect(first.aiMessage).not.toHaveProperty('isDemo');
    await member.page.ended(first.generationId);

    await admin.patch(`/api/admin/connections/${openai.id}`, { enabled: false });
    expect((await admin.get<{ demo: boolean }>('/api/general-settings')).body.demo).toBe(true);
    const second = await member.page.start('hello again', { threadId: first.threadId });
    expect(second.aiMessage.isDemo).toBe(true);
    await member.page.firstText(second.generationId);
    await member.client.post(`/api/chat/generations/${second.generationId}/stop`);
    expect((await member.page.ended(second.generationId)).message.isDemo).toBe(true);

    await admin.patch(`/api/admin/connections/${openai.id}`, { enabled: true });
    const { body } = await member.client.get<Message[]>(`/api/chat/threads/${first.threadId}/messages`);
    expect(body.map((message) => message.isDemo ?? false)).toEqual([false, false, false, true]);
    await harness.settle();
  });
});
