import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import { queries } from '../../release/monitoring-files.js';
import { parseQuery } from '../../release/promql.js';
import { waitUntil } from '../../harness/wait-until.js';
import { changeSettings, FEE, withoutBudgets } from '../../quota/budget-harness.js';
import { answerWith, setPrices } from '../../quota/usage-harness.js';
import { PASSWORD, startTestApp, type TestApp } from '../../harness/test-app.js';

let server: ChatHarness;

beforeAll(async () => {
  server = await startChatHarness({ redis: false });
});

afterAll(async () => {
  await server.close();
});

/** Sum of the series with a name and labels. */
function valueOf(text: string, name: string, labels = ''): number {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => line.includes(labels))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const read = async (app: TestApp, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${app.url}/metrics`, { headers });
  return { status: answer.status, text: await answer.text() };
};

describe('/metrics', () => {
  it('counts sends, answers, tokens and their durations', async () => {
    const { client } = await server.member();
    await client.post('/api/chat/message', { content: 'Hello' });
    const { text } = await read(server);
    expect(valueOf(text, 'tanya_sends_total', 'plan="free"')).toBe(1);
    expect(valueOf(text, 'tanya_answer_seconds_count', 'status="complete"')).toBe(1);
    expect(valueOf(text, 'tanya_first_token_seconds_count')).toBe(1);
    expect(valueOf(text, 'tanya_tokens_total', 'kind="completion"')).toBeGreaterThan(0);
    expect(valueOf(text, 'tanya_generations_running')).toBe(0);
    expect(valueOf(text, 'tanya_http_request_seconds_count', 'route="/api/chat/message"')).toBe(1);
  });

  it('counts the answers of each model and connection, with failures by code', async () => {
    const { client } = await server.member();
    const by = 'model="openai/gpt-4o-mini",connection="OpenAI"';
    const before = (await read(server)).text;
    server.upstream.script({ status: 401, body: '{}' });
    await client.post('/api/chat/message', { content: 'Hello' });
    server.upstream.script(answerWith({ prompt_tokens: 7, completion_tokens: 2, cost: 0.25 }));
    await client.post('/api/chat/message', { content: 'Hello' });
    const { text } = await read(server);
    const grown = (name: string, labels = '') => valueOf(text, name, by + labels) - valueOf(before, name, by + labels);
    expect(grown('tanya_model_requests_total')).toBe(2);
    expect(grown('tanya_model_errors_total', ',code="provider_auth"')).toBe(1);
    expect(grown('tanya_model_tokens_total', ',kind="prompt"')).toBe(7);
    expect(grown('tanya_model_cost_usd_total')).toBe(0.25);
    expect(grown('tanya_model_first_token_seconds_count')).toBe(1);
  });

  it('reports what budgets have spent and hold', async () => {
    await changeSettings(server, { installationBudgetUsd: '10', installationBudgetPeriod: 'never' });
    const { client } = await server.member();
    server.upstream.script(answerWith({ prompt_tokens: 7, completion_tokens: 2, cost: 0.5 }));
    await setPrices(server, FEE);
    await client.post('/api/chat/message', { content: 'Hello' });
    const spent = async () => valueOf((await read(server)).text, 'tanya_budget_spent_usd', 'budget="installation"');
    await waitUntil('the sums of the budgets', async () => (await spent()) >= 0.5);
    const { text } = await read(server);
    expect(valueOf(text, 'tanya_budget_limit_usd', 'budget="installation"')).toBe(10);
    expect(text).toContain('tanya_budget_held_usd{budget="installation"} 0');
    await withoutBudgets(server);
  });

  it('counts refusals by quota and by limit', async () => {
    const guest = await server.guest();
    for (let send = 0; send < 4; send += 1) await guest.post('/api/chat/message', { content: 'Hello' });
    const { username } = await server.member();
    const stranger = server.client();
    for (let guess = 0; guess < 11; guess += 1) {
      await stranger.post('/api/login', { username, password: `${PASSWORD}${guess}` });
    }
    const { text } = await read(server);
    expect(valueOf(text, 'tanya_refusals_total', 'limit="quota"')).toBe(1);
    expect(valueOf(text, 'tanya_refusals_total', 'limit="login-account"')).toBe(1);
  });

  it('reports the process and the connection pool', async () => {
    const { text } = await read(server);
    for (const name of [
      'tanya_sockets',
      'tanya_pg_connections',
      'tanya_pg_waiting',
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(text).toMatch(new RegExp(`^${name} `, 'm'));
    }
  });

  it('exposes every metric that the dashboard and the alert rules name', async () => {
    const { text } = await read(server);
    const exposed = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    const named = queries.flatMap(([, expression]) => parseQuery(expression).selectors.map(({ metric }) => metric));
    const isExposed = (metric: string) =>
      exposed.has(metric) || exposed.has(metric.replace(/_(bucket|sum|count)$/, ''));
    expect(named.filter((metric) => metric !== 'up' && !isExposed(metric))).toEqual([]);
  });

  it('has no label with values of visitors', async () => {
    const client = server.client();
    await client.get('/api/chat/threads/123456789/messages');
    await client.get('/api/nothing-of-that-name');
    await client.get('/a-page-of-that-name');
    const { text } = await read(server);
    expect(text).not.toMatch(/123456789|of-that-name/);
    expect(text).toContain('route="unknown"');
    expect(text).toContain('route="page"');
  });
});

describe('access to /metrics', () => {
  it('is allowed from the same machine, and not through a proxy', async () => {
    expect((await read(server)).status).toBe(200);
    expect((await read(server, { 'X-Forwarded-For': '203.0.113.9' })).status).toBe(404);
    expect((await read(server, { Via: '1.1 proxy' })).status).toBe(404);
    expect((await server.client().get('/metrics')).status).toBe(404);
  });

  it('requires METRICS_TOKEN where it is set', async () => {
    const guarded = await startTestApp({ env: { metricsToken: 'a token for the scraper' } });
    expect((await read(guarded)).status).toBe(401);
    expect((await read(guarded, { Authorization: 'Bearer a token for the scrapes' })).status).toBe(401);
    const through = { Authorization: 'Bearer a token for the scraper', 'X-Forwarded-For': '203.0.113.9' };
    expect((await read(guarded, through)).status).toBe(200);
    await guarded.close();
  });

  it('is denied without a token where PUBLIC_URL is public', async () => {
    const publicApp = await startTestApp({ env: { publicUrl: new URL('https://chat.example.org') } });
    expect((await read(publicApp)).status).toBe(404);
    await publicApp.close();
  });
});
