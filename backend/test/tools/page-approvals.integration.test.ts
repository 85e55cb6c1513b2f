import type { ContinueShareResponse, GenerationApproved, Message, ToolInfo, ToolPart } from '@tanya/contract';
import { buildConnector } from 'undici';
import { guardedConnector } from '../../src/platform/net/ssrf-guard.js';
import { PageFetcher } from '../../src/tools/pages/page-fetcher.js';
import { callsOf, textOf } from '../chat/scripted-tools.js';
import { type ChatHarness, type MemberPage, startChatHarness } from '../harness/chat-harness.js';
import { waitUntil } from '../harness/wait-until.js';
import { share } from '../shares/shares-harness.js';
import { LocalServers } from './local-servers.js';

/** Processes that read pages start slowly on a busy machine. */
const TEST_TIMEOUT_MS = 90_000;

const HOST = 'pages.example';
const KNOWN = `http://${HOST}/known`;
const COMPOSED = `http://${HOST}/collect?text=secret`;

let harness: ChatHarness;
let member: MemberPage;
const servers = new LocalServers();
const requests: string[] = [];

beforeAll(async () => {
  harness = await startChatHarness({ redis: false });
  const port = await servers.serve((request, response) => {
    requests.push(request.url!);
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Harbour</title><p>Page ${request.url}</p>`);
  });
  const guard = guardedConnector({ timeout: 5_000, trustedOrigin: null });
  const local = buildConnector({ timeout: 5_000 });
  harness.app.get(PageFetcher).connect = (target, callback) => {
    if (target.hostname !== HOST) return guard(target, callback);
    local({ ...target, hostname: '127.0.0.1', host: `127.0.0.1:${port}`, port: String(port) }, callback);
  };
});

beforeEach(async () => {
  requests.length = 0;
  member = await harness.memberPage();
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  servers.close();
});

const callsIn = (message: Message): ToolPart[] =>
  (message.parts ?? []).filter((part): part is ToolPart => part.type === 'tool');

const shown = async (threadId: number): Promise<Message> =>
  (await member.client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1)!;

/** Lets the model read an address in answer to a text. */
async function read(text: string, url: string) {
  harness.upstream.script(callsOf('', { id: 'read_1', name: 'read_page', args: { url } }), textOf('Done.'));
  return member.page.start(text, { tools: ['read_page'] });
}

/** Lets the model read an address that is not known, so that the call waits. */
async function readUnknown(text = `Please read ${KNOWN}.`, url = COMPOSED) {
  const started = await read(text, url);
  await waitUntil('the waiting call', async () => (await shown(started.threadId)).status === 'waiting');
  const decide = (allow: boolean) =>
    member.client.post<GenerationApproved>(`/api/chat/generations/${started.generationId}/approve`, {
      callId: 'read_1',
      allow,
    });
  return { ...started, decide };
}

describe('an address that a model reads (TOOL-1)', () => {
  it(
    'is read at once when the user wrote it',
    async () => {
      const { generationId } = await read(`Please read ${KNOWN}.`, KNOWN);
      const { message } = await member.page.ended(generationId);
      expect(callsIn(message)).toMatchObject([{ state: 'done', result: expect.stringContaining('Page /known') }]);
      expect(requests).toEqual(['/known']);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'waits for approval when the model composed it, and is read after it',
    async () => {
      const { generationId, threadId, decide } = await readUnknown();
      expect(callsIn(await shown(threadId))).toMatchObject([{ state: 'waiting', args: { url: COMPOSED } }]);
      expect(requests).toEqual([]);
      expect((await decide(true)).body).toEqual({ status: 'streaming' });
      const { message } = await member.page.ended(generationId);
      expect(callsIn(message)).toMatchObject([{ state: 'done', result: expect.stringContaining('Page /collect') }]);
      expect(message.parts).toContainEqual({ type: 'source', index: 1, url: COMPOSED, title: 'Harbour' });
      expect(requests).toEqual(['/collect?text=secret']);
    },
    TEST_TIMEOUT_MS,
  );

  it('is never read when it is denied', async () => {
    const { generationId, decide } = await readUnknown();
    await decide(false);
    const { message } = await member.page.ended(generationId);
    expect([message.status, callsIn(message)[0]?.state]).toEqual(['complete', 'denied']);
    expect(requests).toEqual([]);
  });

  it(
    'is known in later turns of its thread, and in no other thread',
    async () => {
      const first = await read(`Please read ${KNOWN}`, KNOWN);
      await member.page.ended(first.generationId);
      harness.upstream.script(callsOf('', { id: 'read_2', name: 'read_page', args: { url: KNOWN } }), textOf('Again.'));
      const second = await member.page.start('once more', { threadId: first.threadId, tools: ['read_page'] });
      expect((await member.page.ended(second.generationId)).message.content).toBe('Again.');
      const elsewhere = await readUnknown('and here', KNOWN);
      await elsewhere.decide(false);
      await member.page.ended(elsewhere.generationId);
      expect(requests).toEqual(['/known', '/known']);
    },
    TEST_TIMEOUT_MS,
  );

  it('is not known from the messages of a share link', async () => {
    const first = await read(`Please read ${KNOWN}`, KNOWN);
    await member.page.ended(first.generationId);
    const { token } = await share(member.client, first.threadId);
    member = await harness.memberPage();
    const { threadId } = (await member.client.post<ContinueShareResponse>(`/api/share/${token}/continue`)).body;
    harness.upstream.script(callsOf('', { id: 'read_2', name: 'read_page', args: { url: KNOWN } }), textOf('Done.'));
    const { generationId } = await member.page.start('go on', { threadId, tools: ['read_page'] });
    await waitUntil('the waiting call', async () => (await shown(threadId)).status === 'waiting');
    expect(requests).toEqual(['/known']);
    await member.page.ask('generation:stop', { generationId });
    const own = await member.page.start(`Please read ${KNOWN}`, { threadId, tools: ['read_page'] });
    expect((await member.page.ended(own.generationId)).message.status).toBe('complete');
    // The copied answers have no generation, which `settle` would report.
    await harness.dataSource.query('delete from thread where id = $1', [threadId]);
  });

  it('fails without a question when it cannot be read', async () => {
    const { generationId } = await read('read it', 'file:///etc/passwd');
    expect(callsIn((await member.page.ended(generationId)).message)).toMatchObject([{ state: 'failed' }]);
  });

  it('is a tool with the policy allow, because most calls need no approval', async () => {
    const { body } = await member.client.get<ToolInfo[]>('/api/tools');
    expect(body.find(({ name }) => name === 'read_page')).toMatchObject({ policy: 'allow', server: null });
  });
});
