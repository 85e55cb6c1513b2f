import { type Message, parseContent, type Thread } from '@tanya/contract';
import { userOwner } from '../../src/identity/identity.js';
import { callsOf, textOf } from '../chat/scripted-tools.js';
import { startToolStepsHarness, type ToolStepsHarness } from '../chat/tool-steps-harness.js';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import type { TestApp } from '../harness/test-app.js';
import { download, filesOnDisk } from '../harness/uploads.js';
import { eventually } from '../harness/wait-until.js';
import { LAST_MESSAGE, importFile, importJson, messagesOf, reportOf, threadsOf } from '../imports/imports-harness.js';
import { conversation, exported, sha256 } from './exports-harness.js';

let harness: ToolStepsHarness;
/** Another installation. */
let second: ChatHarness;
let member: MemberPage;

beforeAll(async () => {
  harness = await startToolStepsHarness({ redis: false });
  second = await startChatHarness({ redis: false, sharedUpstream: harness.upstream });
  const admin = await harness.admin();
  // A title would take a scripted answer.
  await admin.patch('/api/admin/general-settings', { generatedTitles: false });
  await admin.post('/api/admin/models', { modelId: 'scripted/large' });
  await admin.post('/api/admin/models', { modelId: 'dall-e-3', kind: 'image' });
});

beforeEach(async () => {
  harness.reset();
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(async () => {
  await second.close();
  await harness.close();
});

/** A chat with tools and their sources, a rating, a drawn picture, and answers that were stopped or failed. */
async function eventfulConversation(): Promise<number> {
  const { client, page } = member;
  const { upstream, search } = harness;
  search.answer = () => ({
    text: `Found “two” \u{1f6a2}${' pages'.repeat(8_000)}`,
    sources: [{ url: 'https://example.org/one', title: 'One', snippet: 'the first' }],
  });
  upstream.script(
    callsOf(' Let me see. ', { id: 'call_1', name: 'search', args: { query: ['a', { b: null }] } }),
    textOf('Both agree [1].\n'),
  );
  const first = await page.start('  look it up\n', {
    tools: ['search'],
    model: 'scripted/large',
    useInstructions: false,
  });
  const { message } = await page.ended(first.generationId);
  await client.put(`/api/chat/messages/${message.id}/feedback`, { rating: 'down', reason: 'The “second” is old' });
  const { threadId } = first;
  upstream.script({ status: 402, body: JSON.stringify({ error: { message: 'no credit' } }) });
  await page.ended((await page.start('fail', { threadId })).generationId);
  upstream.script({ steps: [{ reasoning: 'Hm.' }, { text: 'It begins' }, { finish: 'length' }, { done: true }] });
  await page.ended((await page.start('at length', { threadId })).generationId);
  upstream.script({ steps: [{ text: 'It begins' }, { stall: true }] });
  const stopped = await page.start('go on', { threadId });
  await page.firstText(stopped.generationId);
  await page.tryStop(stopped.generationId);
  await page.ended(stopped.generationId);
  return threadId;
}

/** Everything of the chats of an account that does not depend on its installation: places instead of ids, files by hash. */
async function portrait(client: HttpClient) {
  interface Exported {
    threads: Record<string, unknown>[];
    messages: Message[];
    files: { url: string }[];
  }
  const { body } = await client.get<Exported>('/api/user/export');
  const hashes: [string, string][] = [];
  for (const { url } of body.files) hashes.push([url, sha256((await download(client, url)).bytes)]);
  const withHashes = (value: unknown): unknown =>
    JSON.parse(
      hashes.reduce(
        (json, [url, hash]) => json.replaceAll(url, hash).replaceAll(url.slice('/api/files/'.length), hash),
        JSON.stringify(value),
      ),
    );
  const chats = body.threads.map(({ id, activeLeafId, ...thread }) => {
    const messages = body.messages.filter(({ threadId }) => threadId === id);
    const places = new Map(messages.map((message, at) => [message.id as unknown, at]));
    return {
      thread,
      shown: places.get(activeLeafId),
      messages: messages.map(
        ({ id: _id, threadId: _thread, generationId: _generation, parentId, content, ...message }) =>
          withHashes({ ...message, parent: places.get(parentId), content: parseContent(content) }),
      ),
    };
  });
  return chats.toSorted((a, b) => String(a.thread['title']).localeCompare(String(b.thread['title'])));
}

it('gives the same chats in another installation', async () => {
  await conversation(member);
  const eventful = await eventfulConversation();
  const archived = await member.page.start('Put away');
  await member.page.ended(archived.generationId);
  await member.client.patch(`/api/chat/threads/${archived.threadId}`, { isArchived: true });
  await member.client.patch(`/api/chat/threads/${eventful}`, { title: 'Calls' });
  const drawn = await member.page.start('a harbour', { model: 'dall-e-3' });
  await member.page.ended(drawn.generationId);
  await member.client.patch(`/api/chat/threads/${drawn.threadId}`, { title: 'Drawn' });
  const here = await portrait(member.client);
  const states = here.flatMap(({ messages }) => (messages as Message[]).map(({ status }) => status));
  expect(new Set(states)).toEqual(new Set(['complete', 'stopped', 'error']));
  expect(JSON.stringify(here)).toMatch(/answer_length.*down.*image_generation|down.*answer_length.*image_generation/);
  const there = await second.member();
  const run = await importFile(there.client, await exported(member.client));
  expect(run).toMatchObject({ state: 'done', source: 'tanya', imported: 4, failures: [] });
  expect((await reportOf(there.client, run.id)).map(({ remark }) => remark)).toEqual([null, null, null, null]);
  expect(await portrait(there.client)).toEqual(here);
  // Ratings of answers that this installation has not written say nothing about its models.
  expect((await (await second.admin()).get('/api/admin/feedback')).body).toEqual([]);
});

it('gives back a thread of 25,000 messages in another installation', async () => {
  const { client, user } = await harness.member();
  const owner = userOwner(user.id);
  const [{ id: threadId }] = await harness.dataSource.query<[{ id: number }]>(
    `insert into thread (owner, user_id, title, is_pinned) values ($1, $2, 'Very long', true) returning id`,
    [owner, user.id],
  );
  // Some answers have a later version, and some texts are long.
  await harness.dataSource.query(
    `with first as (select nextval(pg_get_serial_sequence('message', 'id')) as id),
     path as (
       insert into message (id, thread_id, parent_id, user_id, content, is_user_message, status)
       select first.id + n, $1::bigint, case when n > 1 then first.id + n - 1 end, $2::int,
         'text ' || n || case when n % 500 = 0 then repeat('é', 100000) else '' end, n % 2 = 1, 'complete'
       from first, generate_series(1, 25000) n returning id)
     insert into message (id, thread_id, parent_id, user_id, content, is_user_message, status)
     select first.id + 25000 + n, $1::bigint, first.id + 14 * n - 1, $2::int, 'version ' || n, false, 'complete'
     from first, generate_series(1, 1000) n, (select count(*) from path) written`,
    [threadId, user.id],
  );
  await harness.dataSource.query(
    `select setval(pg_get_serial_sequence('message', 'id'), (select max(id) from message))`,
  );
  const files = await filesOnDisk(second);
  const there = await second.member();
  const lastMessage = async () => (await second.dataSource.query<[{ id: number }]>(LAST_MESSAGE))[0].id;
  const run = await importFile(there.client, await exported(client), lastMessage);
  expect(run).toMatchObject({ state: 'done', imported: 1, failures: [] });
  const hashOf = ({ dataSource }: TestApp, userId: number) =>
    dataSource.query(
      `select md5(string_agg(concat_ws(':', m.place, p.place, m.content, m.is_user_message), ' ' order by m.place)),
         count(*)::int
       from (select *, row_number() over (order by id) as place from message where user_id = $1) m
       left join (select id, row_number() over (order by id) as place from message where user_id = $1) p
         on p.id = m.parent_id`,
      [userId],
    );
  const hashes = [await hashOf(second, there.user.id), await hashOf(harness, user.id)];
  // Answers without generations would be found as faults.
  await harness.dataSource.query('delete from message where thread_id = $1', [threadId]);
  expect(hashes[0]).toEqual(hashes[1]);
  expect(await threadsOf(there.client)).toMatchObject([{ title: 'Very long', isPinned: true }]);
  // Nothing of the import is left on the disk.
  await eventually(async () => expect(await filesOnDisk(second)).toEqual(files));
}, 300_000);

it('goes on in another installation with the calls of before', async () => {
  const { upstream } = harness;
  upstream.script(callsOf('', { id: 'call_1', name: 'add', args: { x: 1 } }), textOf('It is 2.'));
  const { generationId } = await member.page.start('add', { tools: ['add'] });
  await member.page.ended(generationId);
  const there = await second.memberPage();
  await importFile(there.client, await exported(member.client));
  const [thread] = (await threadsOf(there.client)) as [Thread];
  upstream.calls.length = 0;
  const { generationId: next } = await there.page.start('and now?', { threadId: thread.id });
  await there.page.ended(next);
  const sent = upstream.callsOf().find(({ body }) => JSON.stringify(body).includes('and now?'))!.body;
  expect((sent['messages'] as { role: string; content: string | null }[]).slice(-5)).toMatchObject([
    { role: 'user', content: 'add' },
    { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'add', arguments: '{"x":1}' } }] },
    { role: 'tool', content: '2', tool_call_id: 'call_1' },
    { role: 'assistant', content: 'It is 2.' },
    { role: 'user', content: 'and now?' },
  ]);
  await there.page.close();
});

it('takes nothing from a forged archive but what an answer can have (IMP-4)', async () => {
  const at = '2026-01-01T00:00:00.000Z';
  const question = { id: 1, threadId: 7, parentId: null, content: 'Hi', isUserMessage: true, createdAt: at };
  const answer = { id: 2, threadId: 7, parentId: 1, content: 'Hello', isUserMessage: false, createdAt: at };
  const text = { type: 'text', text: 'Hello' };
  const tool = { type: 'tool', callId: 'call_1', tool: 'add', title: 'Add', args: {}, state: 'done', result: '2' };
  const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown;
  const parts: unknown[][] = [
    [tool, { ...tool, callId: 'a b' }, { ...tool, state: 'running' }, text, { type: 'new' }, null],
    [{ type: 'source', index: 1, url: 'javascript:alert(1)', title: 'x' }, text],
    [{ type: 'source', index: 1, url: '/projects/4/files/5', title: 'a.pdf', quote: 'No dogs.', fileId: '5' }, text],
    [{ type: 'image', url: '/api/files/11111111-1111-4111-8111-111111111111', alt: '' }, text],
    // Other words than those of the answer, too long, too deep, too many.
    [{ type: 'text', text: 'Bye' }],
    [{ ...tool, result: 'x'.repeat(100_000) }, text],
    [{ ...tool, args: deep }, text],
    [...Array.from({ length: 2_000 }, () => tool), text],
    ['x', text],
  ];
  const only = [{ type: 'text', text: 'Hello' }];
  const expected = [
    [tool, { ...tool, state: 'interrupted' }, text],
    only,
    [{ type: 'source', index: 1, url: '', title: 'a.pdf', quote: 'No dogs.' }, text],
    only,
    only,
    only,
    only,
    only,
    only,
  ];
  for (const [index, forged] of parts.entries()) {
    const { client } = await second.member();
    const thread = {
      id: 7,
      title: 'Forged',
      tools: ['add', 'a b', 4],
      modelId: 'no\u0000\ud800',
      useInstructions: 'x',
    };
    const fields = {
      parts: forged,
      status: ['streaming', 'done', '__proto__'][index % 3],
      error: { code: ['__proto__', 'internal'][index % 2], message: 'No\u0000', cause: 'key', params: { a: {}, b: 1 } },
      notices: [{ code: 'toString' }, { code: 'message_cut', params: { n: 'x\ud800' } }],
      feedback: { rating: index % 2 === 0 ? 'up' : 'sideways', reason: 'x'.repeat(5_000) },
    };
    const run = await importJson(client, {
      account: {},
      threads: [thread],
      messages: [question, { ...answer, ...fields }],
    });
    expect(run).toMatchObject({ state: 'done', imported: 1 });
    const [imported] = (await threadsOf(client)) as [Thread];
    expect(imported).toMatchObject({ tools: ['add'], modelId: 'no\ufffd', useInstructions: null });
    const [, shown] = (await messagesOf(client, imported.id)) as [Message, Message];
    expect(shown.parts).toEqual(expected[index]);
    expect(shown.status).toBe(index % 3 === 0 ? 'interrupted' : 'complete');
    expect(shown.error).toEqual(
      index % 2 === 0 ? null : { code: 'internal', message: 'No', retryable: false, params: { b: 1 } },
    );
    expect(shown.notices).toEqual([{ code: 'message_cut', params: { n: 'x\ufffd' } }]);
    expect(shown.feedback).toEqual(index % 2 === 0 ? { rating: 'up', reason: 'x'.repeat(1_000) } : undefined);
  }
});
