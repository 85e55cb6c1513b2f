import { randomUUID } from 'node:crypto';
import type { Message } from '@tanya/contract';
import { ADAPTERS } from '../../harness/chat-harness.js';
import { dataOf } from '../../harness/socket-client.js';
import { PASSWORD } from '../../harness/test-app.js';
import { PNG } from '../../harness/uploads.js';
import { waitUntil } from '../../harness/wait-until.js';
import { callsOf, textOf } from '../scripted-tools.js';
import { isTool, messagesOf, startToolStepsHarness, type ToolStepsHarness } from '../tool-steps-harness.js';

describe.each(ADAPTERS)('the result of a tool, %s', (_name, redis) => {
  let harness: ToolStepsHarness;

  beforeAll(async () => {
    harness = await startToolStepsHarness({ redis });
  });

  beforeEach(() => harness.reset());

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('reports calls that cannot run to the model, without a run', async () => {
    const { page } = await harness.memberPage({ isPremium: true });
    harness.upstream.script(
      callsOf('', { id: 'a', name: 'add', args: '{"x":' }, { id: 'b', name: 'un known' }),
      textOf('Sorry.'),
    );
    const { message } = await page.ended((await page.start('try', { tools: ['add', 'search'] })).generationId);
    expect(message.parts!.filter(isTool).map(({ callId, tool, state, error }) => [callId, tool, state, error])).toEqual(
      [
        ['a', 'add', 'failed', 'The arguments are not valid JSON.'],
        ['b', 'un_known', 'failed', 'There is no tool with this name.'],
      ],
    );
    expect([harness.add.runs, harness.search.runs]).toEqual([[], []]);
    const body = harness.upstream.callsOf()[1]!.body;
    expect(
      messagesOf(body)
        .slice(-2)
        .map(({ content }) => content),
    ).toEqual(message.parts!.filter(isTool).map(({ error }) => error));
  });

  it('goes on after a tool that fails', async () => {
    const { page } = await harness.memberPage();
    harness.add.answer = () => Promise.reject(new Error('secret path /etc/x'));
    harness.search.answer = () => ({ text: 'No such page.', isError: true });
    harness.upstream.script(callsOf('', { id: 'a', name: 'add' }, { id: 'b', name: 'search' }), textOf('Sorry.'));
    const { message } = await page.ended((await page.start('fail', { tools: ['add', 'search'] })).generationId);
    expect(message).toMatchObject({ status: 'complete', content: 'Sorry.' });
    expect(message.parts!.filter(isTool).map(({ state, error }) => [state, error])).toEqual([
      ['failed', 'The tool failed.'],
      ['failed', 'No such page.'],
    ]);
  });

  it('cuts a long result and removes characters that cannot be stored', async () => {
    const { page, client } = await harness.memberPage();
    const nul = String.fromCharCode(0);
    harness.add.answer = () => ({ text: `a${nul}b\ud800c ${'"\u0001'.repeat(40_000)}` });
    harness.upstream.script(callsOf('', { id: 'a', name: 'add', args: { [`k${nul}`]: 'v\ud800' } }), textOf('Long.'));
    const { generationId, threadId } = await page.start('long', { tools: ['add'] });
    const { message } = await page.ended(generationId);
    const part = message.parts!.find(isTool)!;
    expect(part).toMatchObject({ truncated: true, args: { k: 'v\ufffd' } });
    expect(part.result).toMatch(/^ab\ufffdc "/);
    const bytes = Buffer.byteLength(JSON.stringify(part));
    expect(bytes).toBeLessThanOrEqual(32 * 1024);
    expect(bytes).toBeGreaterThan(31 * 1024);
    expect((await client.get<Message[]>(`/api/chat/threads/${threadId}/messages`)).body.at(-1)).toEqual(message);
    expect(messagesOf(harness.upstream.callsOf()[1]!.body).at(-1)?.content).toBe(part.result);
  });

  it('marks a result that its tool has cut', async () => {
    const { page } = await harness.memberPage();
    harness.add.answer = () => ({ text: 'The beginning', isCut: true });
    harness.upstream.script(callsOf('', { id: 'a', name: 'add' }), textOf('Long.'));
    const { message } = await page.ended((await page.start('long', { tools: ['add'] })).generationId);
    expect(message.parts!.find(isTool)).toMatchObject({ result: 'The beginning', truncated: true });
  });

  it('passes the known addresses and draws images at the price of the dialog', async () => {
    const { page, client } = await harness.memberPage();
    const admin = await harness.admin();
    await admin.post('/api/admin/models', { modelId: 'gpt-image-1', name: 'Pictures', provider: 'openai' });
    let known: readonly string[] = [];
    harness.add.answer = async (_args, context) => {
      known = await context.knownAddresses();
      const { url } = await context.drawImage('a harbour', context.signal);
      return { text: 'drawn', images: [{ url, alt: 'a harbour' }] };
    };
    harness.upstream.script(callsOf('', { id: 'a', name: 'add' }), textOf('Look.'));
    const { generationId, threadId } = await page.start('see https://example.org/page.', { tools: ['add'] });
    const { message } = await page.ended(generationId);
    expect(known).toEqual(['https://example.org/page.', 'https://example.org/page']);
    const image = message.parts!.find(({ type }) => type === 'image');
    expect(image).toMatchObject({ alt: 'a harbour' });
    const [file] = await harness.dataSource.query<[{ thread_id: number }]>('select thread_id from file where id = $1', [
      (image as { url: string }).url.split('/').at(-1),
    ]);
    expect(file.thread_id).toBe(threadId);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 8 });
  });

  describe('while a guest signs in', () => {
    beforeAll(async () => {
      const admin = await harness.admin();
      const settings = { maxSteps: { guest: 3, free: 3, premium: 10 }, guestMessageQuota: 50 };
      await admin.patch('/api/admin/general-settings', settings);
      await admin.post('/api/admin/models', { modelId: 'gpt-image-1', name: 'Pictures', provider: 'openai' });
    });

    const b64_json = PNG.toString('base64');

    /** Draws an image for a guest, who registers meanwhile. */
    async function drawDuringRegistration() {
      harness.add.answer = async (_args, { drawImage, signal }) => {
        const { url } = await drawImage('a harbour', signal);
        return { text: 'drawn', images: [{ url, alt: 'a harbour' }] };
      };
      const client = await harness.guest();
      const release = harness.upstream.hold({ on: 'images', body: JSON.stringify({ data: [{ b64_json }] }) });
      harness.upstream.script(callsOf('', { id: 'a', name: 'add' }), textOf('Look.'));
      const { generationId } = await (await harness.page(client)).start('draw', { tools: ['add'] });
      await waitUntil('the call', () => harness.upstream.callsOf('images').length === 1);
      await client.post('/api/register', { username: `guest-${randomUUID()}`, password: PASSWORD });
      return { client, page: await harness.page(client), generationId, release };
    }

    it('shows the image to the account', async () => {
      const { client, page, generationId, release } = await drawDuringRegistration();
      release();
      const { message } = await page.ended(generationId);
      const image = message.parts!.find(({ type }) => type === 'image') as { url: string };
      expect((await client.get(image.url)).status).toBe(200);
    });

    it('ends the image with the answer when the account stops it', async () => {
      const { client, page, generationId, release } = await drawDuringRegistration();
      expect(dataOf(await page.tryStop(generationId))).toMatchObject({ status: 'stopped' });
      await harness.upstream.callsOf('images')[0]!.closed;
      release();
      await harness.settle();
      expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
    });
  });
});
