import { randomUUID } from 'node:crypto';
import { ADAPTERS } from '../../harness/chat-harness.js';
import { refusalOf } from '../../harness/socket-client.js';
import { textOf } from '../scripted-tools.js';
import { startToolStepsHarness, type ToolStepsHarness } from '../tool-steps-harness.js';

describe.each(ADAPTERS)('an answer whose tools are refused, %s', (_name, redis) => {
  let harness: ToolStepsHarness;

  beforeAll(async () => {
    harness = await startToolStepsHarness({ redis });
  });

  beforeEach(() => harness.reset());

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it.each([
    [400, 'this model does not support tools'],
    [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    [404, 'No endpoints found that support tool use.'],
    [500, 'tools param requires --jinja flag'],
  ])('is repeated once without tools when a model of unknown support refuses them: %i %s', async (status, refusal) => {
    const { page, client } = await harness.memberPage();
    harness.upstream.script({ status, body: JSON.stringify({ error: { message: refusal } }) }, textOf('Without.'));
    const { message } = await page.ended((await page.start('refuse', { tools: ['add'] })).generationId);
    expect(message).toMatchObject({
      status: 'complete',
      content: 'Without.',
      notice: 'This model does not support tools.',
      parts: [{ type: 'text', text: 'Without.' }],
    });
    const bodies = harness.upstream
      .callsOf()
      .slice(0, 2)
      .map(({ body }) => body['tools'] !== undefined);
    expect(bodies).toEqual([true, false]);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
  });

  it('offers no tools to a model that an admin marked', async () => {
    const admin = await harness.admin();
    const { page } = await harness.memberPage();
    const modelId = `scripted/no-tools-${randomUUID()}`;
    const created = await admin.post<{ id: number }>('/api/admin/models', { modelId });
    const patched = await admin.send('PATCH', `/api/admin/models/${created.body.id}`, {
      body: { supportsTools: false },
    });
    expect(patched.body).toMatchObject({ supportsTools: false });
    harness.upstream.script(textOf('Without.'));
    const sent = await page.start('none', { tools: ['add'], model: modelId });
    expect((await page.ended(sent.generationId)).message).toMatchObject({ status: 'complete', content: 'Without.' });
    expect(harness.upstream.callsOf()[0]!.body['tools']).toBeUndefined();
  });

  it('refuses a tool that the asker may not use, free of charge', async () => {
    const { page, client } = await harness.memberPage();
    expect(refusalOf(await page.tryStart('no', { tools: ['add', 'missing'] }))).toMatchObject({
      code: 'tool_not_found',
      statusCode: 404,
    });
    const guest = await harness.guest();
    const answer = await guest.post('/api/chat/message', { content: 'no', tools: ['add'] });
    expect([answer.status, answer.body]).toMatchObject([404, { code: 'tool_not_found' }]);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    expect((await guest.get('/api/user/quota')).body).toMatchObject({ used: 0 });
  });
});
