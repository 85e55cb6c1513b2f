import type { Message, Thread } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { PASSWORD } from '../harness/test-app.js';
import { download } from '../harness/uploads.js';
import { fileUrlsIn, messagesOf, QUESTION, read, share, threadWithFiles } from './shares-harness.js';

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
});

afterAll(() => harness.close());

async function continued(client: HttpClient, token: string): Promise<number> {
  const answer = await client.post<{ threadId: number }>(`/api/share/${token}/continue`);
  expect(answer.status).toBe(201);
  return answer.body.threadId;
}

describe('a continued conversation', () => {
  it('is a thread of the member with files of its own, and answers go on', async () => {
    const { client: owner, threadId } = await threadWithFiles(harness);
    const { token } = await share(owner, threadId);
    const { client, user } = await harness.member();
    const copy = await continued(client, token);
    expect(copy).not.toBe(threadId);
    const [original, messages] = [await messagesOf(owner, threadId), await messagesOf(client, copy)];
    expect(messages.map(({ isUserMessage, status }) => [isUserMessage, status])).toEqual(
      original.map(({ isUserMessage, status }) => [isUserMessage, status]),
    );
    const urls = messages.flatMap(({ content }) => fileUrlsIn(content));
    expect(urls).toHaveLength(2);
    for (const url of urls) {
      expect(url).toMatch(/^\/api\/files\//);
      expect((await download(client, url)).status).toBe(200);
      expect((await download(owner, url)).status).toBe(404);
    }
    await owner.delete(`/api/user/shares/${token}`);
    await owner.delete(`/api/chat/threads/${threadId}`);
    expect((await download(client, urls[0]!)).status).toBe(200);
    const calls = harness.upstream.callsOf().length;
    expect((await client.post('/api/chat/message', { content: 'go on', threadId: copy })).status).toBe(201);
    expect(JSON.stringify(harness.upstream.callsOf()[calls]?.body)).toContain('And this?');
    const found = await client.get<Thread[]>('/api/chat/threads?query=onerror');
    expect(found.body.map(({ id, userId }) => [id, userId])).toEqual([[copy, user.id]]);
    expect((await client.get<{ used: number }>('/api/user/quota')).body.used).toBe(1);
  });

  it('keeps the parts of answers, with calls, sources and images', async () => {
    const { client: owner, threadId, imageId } = await threadWithFiles(harness);
    const answer = (await messagesOf(owner, threadId))[1]!;
    const call = {
      type: 'tool',
      callId: 'abc123XYZ',
      tool: 'web_search',
      title: 'Web search',
      args: {},
      state: 'done',
    };
    const image = { type: 'image', url: `/api/files/${imageId}`, alt: 'a pier' };
    const source = { type: 'source', index: 1, url: 'https://example.org/', title: 'Harbours' };
    const parts = [{ ...call, result: 'zanzibar' }, source, image, { type: 'text', length: answer.content.length }];
    await harness.dataSource.query('update message set parts = $2 where id = $1', [answer.id, JSON.stringify(parts)]);
    const { token } = await share(owner, threadId);
    const shared = await read(harness.client(), token);
    const [sharedCall, , sharedImage, text] = shared.body.messages[1]!.parts!;
    expect(sharedCall).toEqual({ ...parts[0], callId: 'call00001' });
    expect(text).toEqual({ type: 'text', text: answer.content });
    expect(shared.text).not.toMatch(new RegExp(`${imageId}|abc123XYZ`));
    const { client } = await harness.member();
    const copy = (await messagesOf(client, await continued(client, token)))[1]!;
    expect(copy.parts?.map(({ type }) => type)).toEqual(['tool', 'source', 'image', 'text']);
    for (const [reader, part] of [[harness.client(), sharedImage] as const, [client, copy.parts![2]] as const]) {
      expect(part).toMatchObject({ type: 'image', alt: 'a pier' });
      if (part?.type === 'image') expect((await download(reader, part.url)).status).toBe(200);
    }
    expect((await client.get<Thread[]>('/api/chat/threads?query=zanzibar')).body).toHaveLength(1);
    expect((await client.post('/api/chat/message', { content: 'go on', threadId: copy.threadId })).status).toBe(201);
    expect(JSON.stringify(harness.upstream.callsOf().at(-1)?.body)).toContain('zanzibar');
  });

  it('regenerates its answers', async () => {
    const { client: owner, threadId } = await threadWithFiles(harness);
    const { token } = await share(owner, threadId);
    const { client, page } = await harness.memberPage();
    const copy = await continued(client, token);
    const leaf = (await messagesOf(client, copy)).at(-1)!;
    const ack = await page.tryRegenerate(leaf.id);
    expect(ack).toMatchObject({ ok: true });
    if (ack.ok) expect((await page.ended(ack.data.generationId)).message.siblingIds).toHaveLength(2);
  });

  it('lasts a day for a guest and moves into an account at login', async () => {
    const { client: owner, threadId } = await threadWithFiles(harness);
    const { token } = await share(owner, threadId);
    const guest = await harness.guest();
    const copy = await continued(guest, token);
    const [row] = await harness.dataSource.query<{ hours: number }[]>(
      'select extract(epoch from expires_at - now())::float8 / 3600 as hours from thread where id = $1',
      [copy],
    );
    expect(Math.round(row!.hours)).toBe(24);
    const [{ content }] = (await messagesOf(guest, copy)) as [Message];
    expect(content).toContain(JSON.stringify(QUESTION).slice(1, -1));
    expect((await download(guest, fileUrlsIn(content)[0]!)).status).toBe(200);
    const { username, client } = await harness.member();
    expect((await guest.post('/api/login', { username, password: PASSWORD })).status).toBe(200);
    expect((await client.get<Thread[]>('/api/chat/threads')).body.map(({ id }) => id)).toEqual([copy]);
  });

  it('is possible for a first visit without a cookie', async () => {
    const { client: owner, threadId } = await threadWithFiles(harness);
    const { token } = await share(owner, threadId);
    const visitor = harness.client();
    const copy = await continued(visitor, token);
    expect((await messagesOf(visitor, copy)).length).toBe(4);
  });

  it('keeps an interrupted answer, so that it can be written again', async () => {
    const { client, page } = await harness.memberPage();
    const { generationId, threadId } = await page.start('[[words=20000 pace=10]]');
    const { token } = await share(client, threadId);
    await page.tryStop(generationId);
    const copy = await continued(client, token);
    expect((await messagesOf(client, copy)).map(({ status }) => status)).toEqual(['complete', 'interrupted']);
  });

  it('is limited per owner, and for guests per address (SH-6)', async () => {
    const { client: owner } = await harness.member();
    const { body } = await owner.post<{ threadId: number }>('/api/chat/message', { content: 'Hello' });
    const { token } = await share(owner, body.threadId);
    const guest = await harness.guest();
    for (let count = 0; count < 30; count += 1) await continued(guest, token);
    expect(errorOf(await guest.post(`/api/share/${token}/continue`)).code).toBe('rate_limited');
    guest.cookies.clear();
    expect(errorOf(await guest.post(`/api/share/${token}/continue`)).code).toBe('rate_limited');
    expect((await read(guest, token)).status).toBe(200);
  });

  it('of an unknown token answers 404', async () => {
    const { client } = await harness.member();
    expect((await client.post(`/api/share/${'x'.repeat(43)}/continue`)).status).toBe(404);
  });
});
