import { LIMITS, type PublicSettings, type ShareCounts } from '@tanya/contract';
import { FileSweep } from '../../src/files/file-sweep.js';
import { SharedProjectCalls1766360130000 } from '../../src/platform/database/migrations/all.js';
import { ShareSweep } from '../../src/shares/share-sweep.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf } from '../harness/http-client.js';
import { PASSWORD } from '../harness/test-app.js';
import { download, filesOnDisk } from '../harness/uploads.js';
import { fileUrlsIn, listOf, messagesOf, QUESTION, read, share, threadWithFiles } from './shares-harness.js';

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false, timings: { orphanFile: 0 } });
});

afterAll(() => harness.close());

const sharesOnly = 'select id from file where share_id is not null';
const copiesOf = async (token: string) =>
  (
    await harness.dataSource.query<{ id: string }[]>(
      `${sharesOnly} and share_id = (select id from share where token = $1)`,
      [token],
    )
  ).map(({ id }) => id);

describe('a share link', () => {
  it('that was made before names no files of a project either', async () => {
    const { client, threadId } = await threadWithFiles(harness);
    const { token } = await share(client, threadId);
    const call = { type: 'tool', callId: 'call00001', tool: 'open_section', title: 'Open', state: 'failed' };
    const search = { ...call, tool: 'search_project', args: { query: 'dogs', file: 'private.pdf' }, result: '' };
    const other = { ...call, tool: 'read_page', args: { url: 'https://example.org' }, error: 'Not found.' };
    const parts = [{ ...call, args: { file: 'private.pdf' }, error: 'The files are: "private.pdf".' }, search, other];
    await harness.dataSource.query('update share set messages = $2 where token = $1', [
      token,
      JSON.stringify([{ content: 'No "dogs".', isUserMessage: false, parts }]),
    ]);
    const runner = harness.dataSource.createQueryRunner();
    await new SharedProjectCalls1766360130000().up(runner);
    await runner.release();
    const { messages } = (await read(harness.client(), token)).body;
    expect(messages).toEqual([
      {
        content: 'No "dogs".',
        isUserMessage: false,
        parts: [{ ...call, args: {} }, { ...search, args: { query: 'dogs' } }, other],
      },
    ]);
  });

  it('shows the path with its files to a client without a session, and no ids (SH-1)', async () => {
    const { client, threadId, imageId, documentId } = await threadWithFiles(harness);
    const created = await share(client, threadId);
    expect(created).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/) as string,
      url: `${harness.url}/share/${created.token}`,
      createdAt: expect.any(String) as string,
      expiresAt: null,
    });
    const answer = await read(harness.client(), created.token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { messages, ...head } = answer.body;
    expect(head).toEqual({ title: expect.any(String) as string, createdAt: created.createdAt });
    expect(messages.map(({ isUserMessage }) => isUserMessage)).toEqual([true, false, true, false]);
    expect(JSON.parse(messages[0]!.content)).toMatchObject({ text: QUESTION });
    const shown = await messagesOf(client, threadId);
    for (const [
      at,
      { id, threadId: _t, parentId: _p, generationId: _g, siblingIds: _s, ...message },
    ] of shown.entries()) {
      expect(id).toBeGreaterThan(0);
      expect(messages[at]).toEqual({ ...message, content: messages[at]!.content });
    }
    for (const secret of [imageId, documentId, 'threadId', 'generationId', 'siblingIds', 'owner', 'helpful AI']) {
      expect(answer.text).not.toContain(secret);
    }
  });

  it('serves the files of its snapshot with the headers of uploads, and no other files (SH-2, UP-3)', async () => {
    const { client, threadId, imageId, documentId } = await threadWithFiles(harness);
    const { token } = await share(client, threadId);
    const { text } = await read(harness.client(), token);
    const visitor = harness.client();
    const [image, document] = fileUrlsIn(text);
    for (const [url, original, type] of [
      [image!, imageId, 'inline'],
      [document!, documentId, 'attachment'],
    ]) {
      const copy = await download(visitor, url!);
      const uploaded = await download(client, `/api/files/${original!}`);
      expect(copy.status).toBe(200);
      expect(copy.bytes.equals(uploaded.bytes)).toBe(true);
      expect(copy.headers.get('content-disposition')).toContain(type);
      for (const name of ['content-type', 'content-disposition', 'content-security-policy', 'cache-control']) {
        expect(copy.headers.get(name)).toBe(uploaded.headers.get(name));
      }
      expect(copy.headers.get('x-content-type-options')).toBe('nosniff');
      expect(copy.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    }
    expect((await download(visitor, image!, { Range: 'bytes=0-3' })).bytes).toHaveLength(4);
    for (const id of [imageId, 'x', '..%2f..%2fetc']) {
      expect((await visitor.get(`/api/share/${token}/files/${id}`)).status).toBe(404);
    }
    expect((await visitor.get(image!.replace(/^.*files/, '/api/files'))).status).toBe(404);
  });

  it('stays as it was when the thread changes and when it is deleted (SH-3)', async () => {
    const { client, threadId } = await threadWithFiles(harness);
    const { token } = await share(client, threadId);
    const before = (await read(harness.client(), token)).text;
    const url = fileUrlsIn(before)[0]!;
    await client.patch(`/api/chat/threads/${threadId}`, { title: 'Renamed' });
    await client.post('/api/chat/message', { content: 'more', threadId });
    expect((await read(harness.client(), token)).text).toBe(before);
    expect((await client.delete(`/api/chat/threads/${threadId}`)).status).toBe(200);
    await harness.app.get(FileSweep).sweep();
    expect((await read(harness.client(), token)).text).toBe(before);
    expect((await harness.client().get(url)).status).toBe(200);
  });

  it('contains the active branch alone', async () => {
    const { client, page } = await harness.memberPage();
    const first = await page.start('the first version');
    const { message } = await page.ended(first.generationId);
    const second = await page.start('the second version', { threadId: first.threadId, editOf: message.parentId! });
    await page.ended(second.generationId);
    const newer = await share(client, first.threadId);
    await client.patch(`/api/chat/threads/${first.threadId}`, { activeLeafId: message.id });
    const older = await share(client, first.threadId);
    const shown = async (token: string) => JSON.stringify((await read(client, token)).body.messages);
    expect(await shown(newer.token)).not.toContain('the first version');
    expect(await shown(older.token)).not.toContain('the second version');
  });

  it('shows an unfinished answer as interrupted, with its text so far', async () => {
    const { client, page } = await harness.memberPage();
    const { generationId, threadId } = await page.start('[[words=20000 pace=10]]');
    await page.firstText(generationId);
    const { token } = await share(client, threadId);
    const before = (await read(client, token)).body;
    expect(before.messages.map(({ status }) => status)).toEqual(['complete', 'interrupted']);
    await page.tryStop(generationId);
    await page.ended(generationId);
    expect((await read(client, token)).body).toEqual(before);
  });

  it('answers 404 after its revocation and deletes its files (SH-4)', async () => {
    const { client, threadId } = await threadWithFiles(harness);
    const [kept, revoked] = [await share(client, threadId), await share(client, threadId)];
    const url = fileUrlsIn((await read(client, revoked.token)).text)[0]!;
    const copies = await copiesOf(revoked.token);
    expect(copies).toHaveLength(2);
    const { client: stranger } = await harness.member();
    expect((await stranger.delete(`/api/user/shares/${revoked.token}`)).status).toBe(404);
    expect((await client.delete(`/api/user/shares/${revoked.token}`)).status).toBe(200);
    expect((await client.delete(`/api/user/shares/${revoked.token}`)).status).toBe(404);
    expect((await read(harness.client(), revoked.token)).status).toBe(404);
    expect((await harness.client().get(url)).status).toBe(404);
    expect(await filesOnDisk(harness)).not.toEqual(expect.arrayContaining([copies[0]]));
    expect((await listOf(client)).map(({ token }) => token)).toEqual([kept.token]);
    expect((await read(harness.client(), kept.token)).status).toBe(200);
  });

  it('answers 404 from its expiry on, and the sweep deletes it with its files (SH-4)', async () => {
    const { client, threadId } = await threadWithFiles(harness);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const created = await share(client, threadId, { expiresAt });
    expect(created.expiresAt).toBe(expiresAt);
    const url = fileUrlsIn((await read(client, created.token)).text)[0]!;
    await harness.app.get(ShareSweep).sweep();
    expect((await read(client, created.token)).status).toBe(200);
    const copies = await copiesOf(created.token);
    await harness.dataSource.query('update share set expires_at = now() where token = $1', [created.token]);
    expect((await read(client, created.token)).status).toBe(404);
    expect((await client.get(url)).status).toBe(404);
    expect(await listOf(client)).toEqual([]);
    await harness.app.get(ShareSweep).sweep();
    expect(await copiesOf(created.token)).toEqual([]);
    for (const id of copies) expect(await filesOnDisk(harness)).not.toContain(id);
  });

  it.each([
    ['a past time', '2020-01-01T00:00:00Z'],
    ['no time', 'tomorrow'],
    ['an impossible date', '2030-02-31'],
    ['a number', 4],
  ])('is refused with %s as its expiry', async (_name, expiresAt) => {
    const { client, threadId } = await threadWithFiles(harness);
    const answer = await client.post(`/api/chat/threads/${threadId}/share`, { expiresAt });
    expect(errorOf(answer)).toMatchObject({ statusCode: 400, details: [{ field: 'expiresAt' }] });
  });

  it('needs an account and the own thread (AZ-1)', async () => {
    const guest = await harness.guest();
    const { body } = await guest.post<{ threadId: number }>('/api/chat/message', { content: 'Hello' });
    expect((await guest.post(`/api/chat/threads/${body.threadId}/share`)).status).toBe(401);
    const { client } = await harness.member();
    expect((await client.post(`/api/chat/threads/${body.threadId}/share`)).status).toBe(404);
  });

  it('is refused for a conversation above the bounds', async () => {
    const { client, user } = await harness.member();
    const { body } = await client.post<{ threadId: number }>('/api/chat/message', { content: 'Hello' });
    await harness.dataSource.query(
      `with path as (
         insert into message (id, thread_id, parent_id, user_id, content, is_user_message)
         select 900000000 + n, $1, case n when 1 then null else 900000000 + n - 1 end, $2, 'x', true
         from generate_series(1, $3::int) n returning id)
       update thread set active_leaf_id = (select max(id) from path) where id = $1`,
      [body.threadId, user.id, LIMITS.shareMessages + 1],
    );
    expect(errorOf(await client.post(`/api/chat/threads/${body.threadId}/share`)).code).toBe('too_large');
  });

  it('is refused above the maximum of links, also of links that are made at once', async () => {
    const { client, user } = await harness.member();
    const { body } = await client.post<{ threadId: number }>('/api/chat/message', { content: 'Hello' });
    await harness.dataSource.query(
      `insert into share (id, token, user_id, title, messages, message_count)
       select gen_random_uuid(), 'filler-' || $1 || '-' || n, $1::int, 'x', '[]', 0 from generate_series(1, $2::int) n`,
      [user.id, LIMITS.shares - 1],
    );
    const create = () => client.post(`/api/chat/threads/${body.threadId}/share`);
    const made = await Promise.all(Array.from({ length: 6 }, create));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(errorOf(await create()).code).toBe('conflict');
  });
});

describe('the accounts and settings behind a link', () => {
  it('deletes links and files with the account (SH-4)', async () => {
    const { client, threadId } = await threadWithFiles(harness);
    const { token } = await share(client, threadId);
    const copies = await copiesOf(token);
    expect((await client.delete('/api/user', { password: PASSWORD })).status).toBe(200);
    expect((await read(harness.client(), token)).status).toBe(404);
    expect(await harness.dataSource.query('select 1 from share where token = $1', [token])).toEqual([]);
    for (const id of copies) expect(await filesOnDisk(harness)).not.toContain(id);
  });

  it('answers 404 while the account may not be used (SH-4)', async () => {
    const { client, user } = await harness.member();
    const { body } = await client.post<{ threadId: number }>('/api/chat/message', { content: 'Hello' });
    const { token } = await share(client, body.threadId);
    for (const change of ['is_approved = not is_approved', 'is_suspended = not is_suspended']) {
      await harness.dataSource.query(`update "user" set ${change} where id = $1`, [user.id]);
      expect((await read(harness.client(), token)).status).toBe(404);
      await harness.dataSource.query(`update "user" set ${change} where id = $1`, [user.id]);
      expect((await read(harness.client(), token)).status).toBe(200);
    }
  });

  it('answers 404 while sharing is off, and links can still be listed and revoked (SH-4)', async () => {
    const admin = await harness.admin();
    const { client, threadId } = await threadWithFiles(harness);
    const { token } = await share(client, threadId);
    const url = fileUrlsIn((await read(client, token)).text)[0]!;
    const settings = await admin.patch<PublicSettings>('/api/admin/general-settings', { sharingEnabled: false });
    expect(settings.body.sharingEnabled).toBe(false);
    const visitor = await harness.guest();
    expect((await visitor.get<PublicSettings>('/api/general-settings')).body.sharingEnabled).toBe(false);
    const calls = [read(visitor, token), visitor.get(url), visitor.post(`/api/share/${token}/continue`)];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(errorOf(await client.post(`/api/chat/threads/${threadId}/share`)).code).toBe('forbidden');
    expect(await listOf(client)).toHaveLength(1);
    await admin.patch('/api/admin/general-settings', { sharingEnabled: true });
    expect((await read(visitor, token)).status).toBe(200);
    expect((await client.delete(`/api/user/shares/${token}`)).status).toBe(200);
  });

  it('shows admins numbers and no contents', async () => {
    const admin = await harness.admin();
    const before = (await admin.get<ShareCounts>('/api/admin/shares')).body;
    const { client, threadId } = await threadWithFiles(harness);
    await share(client, threadId);
    const after = (await admin.get<ShareCounts>('/api/admin/shares')).body;
    expect(after.links - before.links).toBe(1);
    expect(after.accounts - before.accounts).toBe(1);
    expect(after.files - before.files).toBe(2);
    expect(after.fileBytes).toBeGreaterThan(before.fileBytes);
    expect(Object.keys(after).sort()).toEqual(['accounts', 'fileBytes', 'files', 'links']);
  });

  it('includes the links in the export of the account, and no copies of files', async () => {
    const { client, threadId } = await threadWithFiles(harness);
    const { token } = await share(client, threadId);
    const { body } = await client.get<{ shares: { token: string }[]; files: object[] }>('/api/user/export');
    expect(body.shares.map((entry) => entry.token)).toEqual([token]);
    expect(body.files).toHaveLength(2);
  });
});

describe('the files of a snapshot', () => {
  it('survive the sweep and cannot be attached or downloaded as uploads (SH-2)', async () => {
    const { client, threadId } = await threadWithFiles(harness);
    const { token } = await share(client, threadId);
    await harness.app.get(FileSweep).sweep();
    const copies = await copiesOf(token);
    for (const id of copies) {
      expect(await filesOnDisk(harness)).toContain(id);
      expect((await client.get(`/api/files/${id}`)).status).toBe(404);
      const content = JSON.stringify({ text: 'mine', fileUrl: `/api/files/${id}` });
      expect((await client.post('/api/chat/message', { content })).status).toBe(404);
    }
  });

  it('count for the storage of the owner', async () => {
    const { client, threadId, imageId } = await threadWithFiles(harness);
    await harness.dataSource.query('update file set size = 400 * 1024 * 1024 where id = $1', [imageId]);
    const before = await filesOnDisk(harness);
    expect(errorOf(await client.post(`/api/chat/threads/${threadId}/share`)).code).toBe('too_large');
    expect(await filesOnDisk(harness)).toEqual(before);
    expect(await listOf(client)).toEqual([]);
  });
});

describe('a guessed token', () => {
  it('is refused after 30 tries of an address, also with the right one (SH-5)', async () => {
    const { client, threadId } = await threadWithFiles(harness);
    const { token } = await share(client, threadId);
    const visitor = harness.client();
    const wrong = token.startsWith('A') ? `B${token.slice(1)}` : `A${token.slice(1)}`;
    for (const guess of [wrong, `${token}x`, '..%2f', 'x'.repeat(3000), '__proto__', token.toUpperCase()]) {
      expect((await visitor.get(`/api/share/${guess}`)).status).toBe(404);
    }
    for (let tries = 6; tries < 30; tries += 1) expect((await read(visitor, wrong)).status).toBe(404);
    const refused = await read(visitor, token);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await read(harness.client(), token)).status).toBe(200);
  });
});
