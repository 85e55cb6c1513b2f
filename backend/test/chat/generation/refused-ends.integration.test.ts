import type { PublicApiError } from '@tanya/contract';
import { ADAPTERS } from '../../harness/chat-harness.js';
import type { Script } from '../../harness/scripted-answers.js';
import { callsOf, textOf } from '../scripted-tools.js';
import { startToolStepsHarness, type ToolStepsHarness } from '../tool-steps-harness.js';

/** Tokens of one call that are still believed. */
const MANY = 1_000_000_000;

const MAX_INTEGER = 2_147_483_647;

const reporting = (script: Script, prompt: number, completion = 1): Script => ({
  ...script,
  steps: script.steps!.map((step) => ('usage' in step ? { usage: { prompt, completion } } : step)),
});

describe.each(ADAPTERS)('an end whose values Postgres cannot store, %s', (_name, redis) => {
  let harness: ToolStepsHarness;

  beforeAll(async () => {
    harness = await startToolStepsHarness({ redis });
    await harness.dataSource.query(
      `alter table usage_record add constraint refused_tokens check (prompt_tokens is distinct from 777)`,
    );
    await harness.dataSource.query(
      `alter table message add constraint refused_text check (content <> 'A refused answer.')`,
    );
  });

  beforeEach(() => harness.reset());

  afterEach(() => harness.settle());

  afterAll(() => harness.close());

  it('is stored with the highest count when the reported tokens exceed it', async () => {
    const { page, client } = await harness.memberPage();
    const step = reporting(callsOf('', { name: 'search', args: {} }), MANY, MANY);
    harness.upstream.script(step, step, reporting(textOf('found'), MANY, MANY));
    const { generationId } = await page.start('look it up', { tools: ['search'] });
    expect((await page.ended(generationId)).message).toMatchObject({ status: 'complete', content: 'found' });
    const [record] = await harness.dataSource.query<unknown[]>(
      `select prompt_tokens, completion_tokens from usage_record where generation_id = $1`,
      [generationId],
    );
    expect(record).toEqual({ prompt_tokens: MAX_INTEGER, completion_tokens: MAX_INTEGER });
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
  });

  it.each([
    ['its text when its usage is refused', 'A long answer.', 777, 'A long answer.'],
    ['nothing when its text is refused', 'A refused answer.', 5, ''],
  ])('becomes a free error with %s, and frees the thread', async (_case, text, tokens, stored) => {
    const { page, client } = await harness.memberPage();
    harness.upstream.script(reporting(textOf(text), tokens));
    const { generationId, threadId } = await page.start('a question');
    const shown = await page.ended(generationId);
    expect(shown.message).toMatchObject({ status: 'error', content: stored, error: { code: 'internal' } });
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
    const next = await page.start('another question', { threadId });
    expect((await page.ended(next.generationId)).message.status).toBe('complete');
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 1 });
  });

  it('becomes an error of the public API', async () => {
    const { client } = await harness.member();
    const { apiKey } = (await client.post<{ apiKey: string }>('/api/user/apikey/generate')).body;
    harness.upstream.script(reporting(textOf('A long answer.'), 777));
    const answer = await harness.client().send<PublicApiError>('POST', '/api/v1/chat/completions', {
      body: { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] },
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
    expect((await client.get('/api/user/quota')).body).toMatchObject({ used: 0 });
  });
});
