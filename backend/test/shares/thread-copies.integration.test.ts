import { LIMITS, type SendMessageResponse, type Thread } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { download } from '../harness/uploads.js';
import { addFile, createProject, filesRead } from '../projects/project-harness.js';
import { fileUrlsIn, messagesOf, share, threadWithFiles } from './shares-harness.js';

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

afterAll(() => harness.close());

async function duplicated(client: HttpClient, threadId: number): Promise<number> {
  const answer = await client.post<{ threadId: number }>(`/api/chat/threads/${threadId}/duplicate`);
  expect(answer.status).toBe(201);
  return answer.body.threadId;
}

describe('the copy of an own chat', () => {
  it('has its messages and files, outlives it, and goes on', async () => {
    const { client, threadId } = await threadWithFiles(harness);
    const before = await messagesOf(client, threadId);
    const copy = await duplicated(client, threadId);
    const again = await duplicated(client, copy);
    const { body: threads } = await client.get<Thread[]>('/api/chat/threads');
    const { title } = threads.find(({ id }) => id === threadId)!;
    expect(threads.slice(0, 2).map(({ id, title: shown }) => [id, shown])).toEqual([
      [again, `${title} (3)`],
      [copy, `${title} (2)`],
    ]);
    const after = await messagesOf(client, copy);
    expect(after.map(({ isUserMessage, status, modelId }) => [isUserMessage, status, modelId])).toEqual(
      before.map(({ isUserMessage, status, modelId }) => [isUserMessage, status, modelId]),
    );
    const urls = after.flatMap(({ content }) => fileUrlsIn(content));
    expect(urls).toHaveLength(2);
    expect(before.flatMap(({ content }) => fileUrlsIn(content))).not.toEqual(urls);
    await client.delete(`/api/chat/threads/${threadId}`);
    for (const url of urls) expect((await download(client, url)).status).toBe(200);
    expect((await client.post('/api/chat/message', { content: 'go on', threadId: copy })).status).toBe(201);
    expect(JSON.stringify(harness.upstream.callsOf().at(-1)?.body)).toContain('And this?');
  });

  it('has a title without half of an emoji', async () => {
    const { client, threadId } = await threadWithFiles(harness);
    const title = `x${'\u{1f6a2}'.repeat(Math.floor((LIMITS.threadTitle.max - 1) / 2))}`;
    expect((await client.patch(`/api/chat/threads/${threadId}`, { title })).status).toBe(200);
    const copy = await duplicated(client, threadId);
    const { body: threads } = await client.get<Thread[]>('/api/chat/threads');
    expect(threads.find(({ id }) => id === copy)!.title).toMatch(/^x\u{1f6a2}+ \(2\)$/u);
  });

  it('goes on with its model and its tools, and without the instructions that were switched off for it', async () => {
    const { client, threadId } = await threadWithFiles(harness);
    const choices = { tools: ['calculator'], useInstructions: false };
    await client.patch(`/api/chat/threads/${threadId}`, choices);
    // As after an answer of a fallback.
    const modelId = 'scripted/chosen';
    await harness.dataSource.query('update thread set model_id = $1 where id = $2', [modelId, threadId]);
    const copy = await duplicated(client, threadId);
    const { body: threads } = await client.get<Thread[]>('/api/chat/threads');
    expect(threads.find(({ id }) => id === copy)).toMatchObject({ ...choices, modelId });
  });

  it('keeps in mind which messages came from a shared chat', async () => {
    const { client: owner, threadId } = await threadWithFiles(harness);
    const { token } = await share(owner, threadId);
    const { client } = await harness.member();
    const { body } = await client.post<{ threadId: number }>(`/api/share/${token}/continue`);
    const copy = await duplicated(client, body.threadId);
    const own = await duplicated(owner, threadId);
    const rows = await harness.dataSource.query<{ id: number; shared: boolean }[]>(
      'select id, shared_until_id is not null as shared from thread where id in ($1, $2) order by id',
      [copy, own],
    );
    expect(rows.map(({ shared }) => shared)).toEqual([true, false]);
  });

  it('stays in the project of its chat, whose files its citations open', async () => {
    const { client } = await harness.member({ isPremium: true });
    const { id: projectId } = await createProject(client);
    await addFile(client, projectId, '# Hours\n\nThe harbour opens at six.', 'hours.md', 'text/markdown');
    await filesRead(client, projectId);
    harness.upstream.script({ steps: [{ text: 'It opens at six [1].' }, { finish: 'stop' }, { done: true }] });
    const sent = await client.post<SendMessageResponse>('/api/chat/message', { content: 'When?', projectId });
    const { threadId, aiMessage } = sent.body;
    expect(aiMessage.parts).toContainEqual(expect.objectContaining({ type: 'source', fileId: expect.any(String) }));
    const copy = await duplicated(client, threadId);
    const { body: chats } = await client.get<Thread[]>(`/api/chat/threads?projectId=${projectId}`);
    expect(chats.map(({ id }) => id)).toEqual([copy, threadId]);
    expect((await messagesOf(client, copy)).at(-1)?.parts).toEqual(aiMessage.parts);
  });

  it('is refused for the chat of another member and for guests', async () => {
    const { threadId } = await threadWithFiles(harness);
    const { client } = await harness.member();
    expect(errorOf(await client.post(`/api/chat/threads/${threadId}/duplicate`))).toMatchObject({ code: 'not_found' });
    const guest = await harness.guest();
    expect((await guest.post(`/api/chat/threads/${threadId}/duplicate`)).status).toBe(401);
  });
});
