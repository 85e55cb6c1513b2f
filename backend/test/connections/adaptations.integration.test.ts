import type { AuditEntry, Message, ProviderConnection } from '@tanya/contract';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import type { Script } from '../harness/scripted-answers.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { waitUntil } from '../harness/wait-until.js';

const CONNECTIONS = '/api/admin/connections';
const MODEL = 'gemma/small';

type SentMessage = { role: string; content: string };

const refusal = (message: string): Script => ({ status: 400, body: JSON.stringify({ error: { message } }) });

/** A server that refuses what Gemma's and Mistral's templates do. */
function refusing(body: Record<string, unknown>): string | null {
  const messages = body['messages'] as SentMessage[];
  if ('stream_options' in body) return "Unrecognized request argument supplied: 'stream_options'";
  if (messages.some(({ role }) => role === 'system')) return 'System role not supported';
  const alternate = messages.every(({ role }, at) => role === (at % 2 === 0 ? 'user' : 'assistant'));
  return alternate ? null : 'Conversation roles must alternate user/assistant/user/assistant/...';
}

let database: TestDatabase;
let server: ScriptedUpstream;
let harness: ChatHarness;
let admin: HttpClient;
let id: number;
/** What the server answers in place of everything else. */
let failing: Script | null = null;

beforeAll(async () => {
  database = await createDatabase();
  server = await startUpstream({
    words: 3,
    choose: (_text, body) => {
      if (failing !== null) return failing;
      const message = refusing(body);
      return message === null ? undefined : refusal(message);
    },
  });
  await start();
  const connection = { kind: 'compatible', name: 'Gemma', baseUrl: server.url };
  ({ id } = (await admin.post<ProviderConnection>(CONNECTIONS, connection)).body);
  expect((await admin.post('/api/admin/models', { modelId: MODEL, connectionId: id })).status).toBe(201);
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await server.close();
  await database.drop();
});

async function start(): Promise<void> {
  harness = await startChatHarness({ redis: false, database });
  admin = await harness.admin();
}

const read = async (): Promise<ProviderConnection> =>
  (await admin.get<ProviderConnection[]>(CONNECTIONS)).body.find((each) => each.id === id)!;

async function ask({ page }: MemberPage, content: string, threadId: number | null = null): Promise<Message> {
  const { generationId } = await page.start(content, { model: MODEL, threadId });
  return (await page.ended(generationId)).message;
}

/** The conversation of the last call, without the system prompt. */
const sent = (): string[][] =>
  (server.callsOf().at(-1)!.body['messages'] as SentMessage[]).map(({ role, content }) => [
    role,
    content.split('\n\n').at(-1)!,
  ]);

const callsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = server.callsOf().length;
  await work();
  return server.callsOf().length - before;
};

it('what a server refuses is remembered over a restart, shown, and forgotten on request', async () => {
  const member = await harness.memberPage();
  expect(await callsOf(() => ask(member, 'one'))).toBe(3);
  expect(await callsOf(() => ask(member, 'two'))).toBe(1);
  await waitUntil('the stored changes', async () => (await read()).adaptations[0]?.changes.length === 2);
  expect((await read()).adaptations).toEqual([
    { model: MODEL, changes: ['stream_options', 'system'], since: expect.stringMatching(/^\d{4}-.*Z$/) as string },
  ]);

  await harness.close();
  await start();
  expect(await callsOf(async () => ask(await harness.memberPage(), 'three'))).toBe(1);

  const forgotten = await admin.delete<ProviderConnection>(`${CONNECTIONS}/${id}/adaptations`);
  expect([forgotten.status, forgotten.body.adaptations]).toEqual([200, []]);
  expect(await callsOf(async () => ask(await harness.memberPage(), 'four'))).toBe(3);
  const { body } = await admin.get<AuditEntry[]>('/api/admin/audit');
  expect(body.find(({ action }) => action === 'connection.update')).toMatchObject({
    before: { adaptations: { [MODEL]: { changes: ['stream_options', 'system'] } } },
    after: { adaptations: {} },
  });
});

/** Stores changes as another node does, of which this one does not hear. */
const store = (changes: string[]): Promise<unknown> =>
  harness.dataSource.query('update provider_connection set adaptations = $1 where id = $2', [
    { [MODEL]: { changes, since: '' } },
    id,
  ]);

it('what another node has learnt stays', async () => {
  await admin.delete(`${CONNECTIONS}/${id}/adaptations`);
  await store(['content']);
  await ask(await harness.memberPage(), 'one');
  const changes = async (): Promise<string[]> => (await read()).adaptations[0]!.changes;
  await waitUntil('the changes of this node', async () => (await changes()).includes('system'));
  expect(await changes()).toEqual(['content', 'stream_options', 'system']);
});

it('of many changes the latest stay', async () => {
  await admin.delete(`${CONNECTIONS}/${id}/adaptations`);
  await store(Array.from({ length: 50 }, (_, at) => `seed=${at}`));
  await ask(await harness.memberPage(), 'one');
  await waitUntil('the new changes', async () => (await read()).adaptations[0]!.changes.includes('system'));
  const { changes } = (await read()).adaptations[0]!;
  expect([changes.length, changes[0], ...changes.slice(-2)]).toEqual([50, 'seed=2', 'stream_options', 'system']);
  await admin.delete(`${CONNECTIONS}/${id}/adaptations`);
});

it('a new address has nothing to remember', async () => {
  await ask(await harness.memberPage(), 'one');
  await waitUntil('the stored changes', async () => (await read()).adaptations.length === 1);
  const changed = await admin.patch<ProviderConnection>(`${CONNECTIONS}/${id}`, { baseUrl: `${server.url}/` });
  expect(changed.status).toBe(200);
  await admin.patch(`${CONNECTIONS}/${id}`, { baseUrl: server.url.replace('127.0.0.1', 'localhost') });
  expect((await read()).adaptations).toEqual([]);
  await admin.patch(`${CONNECTIONS}/${id}`, { baseUrl: server.url });
});

describe('a conversation goes on where roles must alternate', () => {
  const failures: readonly [name: string, Script][] = [
    ['a failed answer', { status: 503, body: '{}' }],
    ['an empty answer', { steps: [{ finish: 'stop' }, { done: true }] }],
    ['an answer that broke off before its text', { steps: [{ cut: true }] }],
    ['a filtered answer', { steps: [{ finish: 'content_filter' }, { done: true }] }],
  ];

  it.each(failures)('after %s', async (_name, script) => {
    const member = await harness.memberPage();
    const first = await member.page.start('one', { model: MODEL });
    await member.page.ended(first.generationId);
    failing = script;
    expect((await ask(member, 'two', first.threadId)).status).not.toBe('complete');
    failing = null;
    expect((await ask(member, 'three', first.threadId)).status).toBe('complete');
    expect(sent().map(([role]) => role)).toEqual(['user', 'assistant', 'user']);
    expect(sent().at(-1)![1]).toBe('three');
    expect((server.callsOf().at(-1)!.body['messages'] as SentMessage[]).at(-1)!.content).toBe('two\n\nthree');
    expect((await ask(member, 'four', first.threadId)).status).toBe('complete');
  });
});
