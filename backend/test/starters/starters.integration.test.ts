import { type ConversationStarter, STARTERS } from '@tanya/contract';
import { readEnv } from '../../src/config/env.js';
import type { HttpClient } from '../harness/http-client.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';

const next = async (client: HttpClient) =>
  (await client.get<ConversationStarter>('/api/conversation-starter')).body.prompt;

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

  it('fills a pool with one model call, free of quota, and serves the built-in list meanwhile', async () => {
    upstream.script({
      steps: [
        { text: '1. How do whales sleep?\n2. Rencanakan liburan ke Malang.\n' },
        { finish: 'stop' },
        { done: true },
      ],
    });
    const guest = await server.guest();
    expect(STARTERS).toContain(await next(guest));
    const ideas = ['How do whales sleep?', 'Rencanakan liburan ke Malang.'];
    await waitUntil('the pool', async () => ideas.includes(await next(guest)));
    expect([await next(guest), await next(guest)].sort()).toEqual(ideas);
    expect(upstream.callsOf()).toHaveLength(1);
    expect((await guest.get('/api/user/quota')).body).toMatchObject({ used: 0 });
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
