import { type ConversationStarter, STARTERS } from '@tanya/contract';
import { readEnv } from '../../src/config/env.js';
import type { HttpClient } from '../harness/http-client.js';
import type { Script } from '../harness/scripted-answers.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';

const next = async (client: HttpClient, language?: string) =>
  (await client.get<ConversationStarter>(`/api/conversation-starter${language ? `?language=${language}` : ''}`)).body
    .prompt;

it('without a provider returns distinct starters of the built-in list', async () => {
  const server = await startTestApp();
  const guest = await server.guest();
  const ideas = [await next(guest), await next(guest), await next(guest)];
  expect(new Set(ideas).size).toBe(3);
  for (const idea of ideas) expect(STARTERS).toContain(idea);
  await server.close();
});

it('returns the ideas of the settings in rotation, until an admin resets them', async () => {
  const server = await startTestApp();
  const admin = await server.admin();
  const save = (starters: string[]) => admin.patch('/api/admin/general-settings', { starters });
  expect((await save(['  Ask about\nour menu. ', 'Book a table.'])).body).toMatchObject({
    starters: ['Ask about our menu.', 'Book a table.'],
  });
  const guest = await server.guest();
  const ideas = [await next(guest), await next(guest), await next(guest), await next(guest)];
  expect([...new Set(ideas)].sort()).toEqual(['Ask about our menu.', 'Book a table.']);
  await save([]);
  expect(STARTERS).toContain(await next(guest));
  await server.close();
});

describe('with a provider', () => {
  let upstream: ScriptedUpstream;
  let server: TestApp;

  beforeEach(async () => {
    upstream = await startUpstream();
    const { openai } = readEnv({ OPENAI_BASE_URL: upstream.url });
    server = await startTestApp({ env: { openai } });
  });

  afterEach(async () => {
    await server.close();
    await upstream.close();
  });

  const ENGLISH = [
    'How do whales sleep at night?',
    'Plan a trip to Malang.',
    'What makes bread rise?',
    'Explain the tides.',
  ];
  const INDONESIAN = [
    'Apa itu fotosintesis?',
    'Rencanakan liburan ke Malang.',
    'Tulis puisi tentang hujan.',
    'Jelaskan arti inflasi.',
  ];
  const listOf = (ideas: string[]) => ideas.map((idea, index) => `${index + 1}. ${idea}\n`).join('');
  const answer = (text: string): Script => ({ steps: [{ text }, { finish: 'stop' }, { done: true }] });

  it('fills a pool with one model call, free of quota, and serves the built-in list meanwhile', async () => {
    upstream.script(answer(listOf(ENGLISH)));
    const guest = await server.guest();
    expect(STARTERS).toContain(await next(guest));
    await waitUntil('the pool', async () => ENGLISH.includes(await next(guest)));
    const served = [await next(guest), await next(guest), await next(guest), await next(guest)];
    expect(served.sort()).toEqual([...ENGLISH].sort());
    expect(upstream.callsOf()).toHaveLength(1);
    expect((await guest.get('/api/user/quota')).body).toMatchObject({ used: 0 });
  });

  it('has ideas in the language of the page, else in that of the site', async () => {
    const admin = await server.admin();
    const guest = await server.guest();
    upstream.script(answer(listOf(INDONESIAN)), answer(listOf(ENGLISH)));
    await waitUntil('the ideas in Indonesian', async () => INDONESIAN.includes(await next(guest, 'id')));
    expect(JSON.stringify(upstream.callsOf()[0]!.body)).toContain('in Indonesian');
    await waitUntil('the ideas in English', async () => ENGLISH.includes(await next(guest, 'spec')));
    expect(INDONESIAN).toContain(await next(guest, 'id'));
    expect(ENGLISH).toContain(await next(guest));
    await admin.patch('/api/admin/general-settings', { defaultLanguage: 'id' });
    expect(INDONESIAN).toContain(await next(guest));
  });

  it('keeps to the built-in list when the model answers something else', async () => {
    upstream.script(answer('A point in the plane.\nIt has no extent at all.'));
    const guest = await server.guest();
    await next(guest);
    await waitUntil('the answer', () => upstream.callsOf()[0]?.finished ?? false);
    for (let count = 0; count < 25; count++) expect(STARTERS).toContain(await next(guest));
  });

  it('asks no model once an admin has switched it off', async () => {
    await (await server.admin()).patch('/api/admin/general-settings', { generatedIdeas: false });
    expect(STARTERS).toContain(await next(await server.guest()));
    expect(upstream.callsOf()).toHaveLength(0);
  });

  it('asks no model while the settings have ideas of their own', async () => {
    await (await server.admin()).patch('/api/admin/general-settings', { starters: ['Book a table.'] });
    const guest = await server.guest();
    for (let count = 0; count < 3; count++) expect(await next(guest)).toBe('Book a table.');
    expect(upstream.callsOf()).toHaveLength(0);
  });

  it('serves the built-in list when the model fails', async () => {
    upstream.script({ status: 400, body: '{}' });
    const guest = await server.guest();
    for (let count = 0; count < 5; count++) expect(STARTERS).toContain(await next(guest));
    await waitUntil('the call', () => upstream.callsOf().length > 0);
    expect(STARTERS).toContain(await next(guest));
    expect(upstream.callsOf()).toHaveLength(1);
  });
});
