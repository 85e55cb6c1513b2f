import type { RequestListener } from 'node:http';
import type { AdminSettings, ConnectionFault, SearchStatus, SearchTestResult, ToolInfo } from '@tanya/contract';
import { TIMINGS, type Timings } from '../../src/config/timings.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { withUnknownHosts } from '../harness/unknown-hosts.js';
import { LocalServers } from './local-servers.js';
import { json, type SearxngServer, startSearxng } from './searxng-server.js';
import { identityOf, runTool } from './tool-harness.js';

const SETTINGS = '/api/admin/general-settings';
const SEARCH = '/api/admin/search';
const KEY = 'BSA-0123456789abcdef';

let searxng: SearxngServer;
let server: TestApp;
let admin: HttpClient;
const servers = new LocalServers();

beforeAll(async () => {
  searxng = await startSearxng();
  server = await startTestApp({ env: { searxngUrl: searxng.url }, timings: { search: 30_000 } });
  admin = await server.admin();
});

afterAll(async () => {
  await server.close();
  searxng.close();
  servers.close();
});

const search = (args: unknown) => runTool(server, 'web_search', args);
const status = async () => (await admin.get<SearchStatus>(SEARCH)).body;
const names = async (client: HttpClient) => (await client.get<ToolInfo[]>('/api/tools')).body.map(({ name }) => name);
const save = (changes: Partial<AdminSettings>) => admin.patch<AdminSettings>(SETTINGS, changes);

describe('web_search', () => {
  it('returns results as sources, each address once and without markup', async () => {
    const result = await search({ query: 'kapal', count: 3 });
    expect(result).toEqual({
      text: 'Results of the search for "kapal":',
      sources: [1, 2, 3].map((number) => ({
        url: `https://result-${number}.example/kapal`,
        title: `Result ${number} for kapal`,
        snippet: `Excerpt ${number} & more`,
      })),
    });
    expect(searxng.queries.at(-1)).toBe('kapal');
  });

  it('reports a search without results', async () => {
    searxng.next((_, response) => json(response, { results: [], unresponsive_engines: [] }));
    expect(await search({ query: 'x' })).toEqual({ text: 'The search for "x" found nothing.' });
  });

  it.each([[{}], [{ query: '' }], [{ query: 'x'.repeat(500) }], [{ query: 'x', count: 100 }], [{ query: ['x'] }]])(
    'refuses the arguments %j without a search',
    async (args) => {
      const { length } = searxng.queries;
      expect(await search(args)).toMatchObject({ isError: true });
      expect(searxng.queries).toHaveLength(length);
    },
  );

  it('ends with its signal', async () => {
    const asked = new Promise<void>((resolve) => searxng.next(() => resolve()));
    const controller = new AbortController();
    const running = runTool(server, 'web_search', { query: 'x' }, { signal: controller.signal });
    await Promise.race([asked, running]);
    controller.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });

  it('is limited per owner (TOOL-3)', async () => {
    const identity = identityOf({ owner: 'guest:limited', userId: null, address: '10.9.9.9' });
    for (let call = 0; call < 30; call++) await runTool(server, 'web_search', { query: 'x' }, { asker: identity });
    await expect(runTool(server, 'web_search', { query: 'x' }, { asker: identity })).rejects.toMatchObject({
      code: 'rate_limited',
    });
  });
});

describe('a search service that fails', () => {
  const failures: [ConnectionFault, RequestListener][] = [
    ['http_error', (_, response) => void response.writeHead(500).end('<html>secret</html>')],
    ['http_error', (_, response) => void response.writeHead(403).end()],
    ['rate_limited', (_, response) => void response.writeHead(429).end()],
    ['not_found', (_, response) => void response.writeHead(404).end()],
    ['redirect', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['html', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['invalid_answer', (_, response) => void response.writeHead(200).end('not JSON')],
    ['invalid_answer', (_, response) => json(response, { results: 'many' })],
    ['invalid_answer', (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip')],
    ['http_error', (_, response) => json(response, { results: [], unresponsive_engines: [['google', 'timeout']] })],
    ['unreachable', (request) => void request.socket.destroy()],
    ['too_large', (_, response) => void response.writeHead(200).end(Buffer.alloc(3 * 1024 * 1024, ' '))],
  ];

  it.each(failures)('gives an error result and is recorded as %s, case %#', async (fault, listener) => {
    searxng.next(listener);
    const result = await search({ query: 'x' });
    expect(result).toMatchObject({ isError: true, text: expect.stringMatching(/^The web search .+\.$/) });
    expect((await status()).lastError).toMatchObject({ fault, message: expect.not.stringContaining('secret') });
    await search({ query: 'success' });
    expect((await status()).lastSuccess).not.toBeNull();
  });

  it('gives an error result when it hangs', async () => {
    const timings = server.app.get<Timings>(TIMINGS);
    const { search: before } = timings;
    timings.search = 500;
    searxng.next((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'));
    const result = await search({ query: 'x' });
    timings.search = before;
    expect(result).toEqual({ text: 'The web search did not answer in time.', isError: true });
  });
});

describe('the settings of the search', () => {
  it('show the service of the environment', async () => {
    expect(await status()).toMatchObject({ service: 'searxng', source: 'environment' });
    expect((await admin.get<AdminSettings>('/api/general-settings')).body).toMatchObject({
      searchBackend: 'auto',
      searxngUrl: '',
      braveApiKey: '',
      tavilyApiKey: '',
    });
  });

  it('seal keys, and win over the environment (SET-1)', async () => {
    const saved = await save({ braveApiKey: KEY });
    expect(saved.body.braveApiKey).toBe('••••••••cdef');
    expect(saved.text).not.toContain(KEY);
    const [row] = await server.dataSource.query<{ sealed: string }[]>(
      'select brave_api_key_sealed as sealed from setting',
    );
    expect(row!.sealed).not.toContain(KEY);
    expect(await status()).toMatchObject({ service: 'brave', source: 'settings' });
    expect((await save({ braveApiKey: '••••••••cdef' })).body.braveApiKey).toBe('••••••••cdef');
    expect((await save({ braveApiKey: '' })).body.braveApiKey).toBe('');
    expect(await status()).toMatchObject({ service: 'searxng' });
  });

  it('can switch the search off, which removes the tool', async () => {
    const { client } = await server.member();
    expect(await names(client)).toContain('web_search');
    await save({ searchBackend: 'off' });
    expect(await names(client)).not.toContain('web_search');
    await expect(runTool(server, 'web_search', { query: 'x' })).rejects.toMatchObject({ code: 'tool_not_found' });
    await save({ searchBackend: 'auto' });
  });

  it.each([
    [{ searchBackend: 'google' }, 'searchBackend'],
    [{ searxngUrl: 'searx.example' }, 'searxngUrl'],
    [{ searxngUrl: 'http://user:password@searx.example' }, 'searxngUrl'],
    [{ searxngUrl: 'http://169.254.169.254/' }, 'searxngUrl'],
    [{ searxngUrl: 7 }, 'searxngUrl'],
    [{ braveApiKey: 'two words' }, 'braveApiKey'],
    [{ tavilyApiKey: 'x'.repeat(600) }, 'tavilyApiKey'],
  ])('refuse %j', async (changes, field) => {
    expect(errorOf(await admin.patch(SETTINGS, changes)).details).toMatchObject([{ field }]);
    expect(errorOf(await admin.post(`${SEARCH}/test`, changes)).details).toMatchObject([{ field }]);
  });
});

describe('a test of the search', () => {
  const test = async (request: object) => (await admin.post<SearchTestResult>(`${SEARCH}/test`, request)).body;

  it('succeeds with the saved service', async () => {
    expect(await test({})).toEqual({
      ok: true,
      service: 'searxng',
      results: 3,
      message: 'Connected. The search returned results.',
      ms: expect.any(Number),
    });
  });

  it('tests a service before it is saved, without recording the outcome', async () => {
    const port = await servers.serve((_, response) => void response.writeHead(403).end());
    const before = await status();
    expect(await test({ searxngUrl: `http://127.0.0.1:${port}` })).toMatchObject({
      ok: false,
      service: 'searxng',
      fault: 'http_error',
      message: expect.stringContaining('settings.yml'),
    });
    expect(await status()).toEqual(before);
  });

  it('reports a port that is closed and a host that does not exist', async () => {
    expect(await test({ searxngUrl: 'http://127.0.0.1:9' })).toMatchObject({ ok: false, fault: 'refused' });
    const unknown = await withUnknownHosts(() => test({ searxngUrl: 'http://no-such-host.invalid' }));
    expect(unknown).toMatchObject({ ok: false, fault: 'dns' });
  });

  it('reports a service that is not configured', async () => {
    expect(await test({ searchBackend: 'tavily' })).toMatchObject({
      ok: false,
      service: null,
      fault: 'not_configured',
    });
  });
});
