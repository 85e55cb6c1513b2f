import type { AdminSettings, PublicSettings, TestProviderResponse } from '@tanya/contract';
import { SETTINGS, TEXTS } from '@tanya/contract';
import { SharedTables } from '../../src/platform/bus/shared-tables.js';
import { ProviderRegistry } from '../../src/providers/registry.js';
import { ConnectionsService } from '../../src/connections/connections.service.js';
import { SettingsService } from '../../src/settings/settings.service.js';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { createDatabase } from '../harness/postgres.js';
import { startRedis } from '../harness/redis.js';
import { startUpstream } from '../harness/scripted-upstream.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { waitUntil } from '../harness/wait-until.js';

let server: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.admin();
});

afterAll(async () => {
  await server.close();
});

const READ = '/api/general-settings';
const WRITE = '/api/admin/general-settings';
const KEY = 'sk-or-v1-0123456789abcdef';
const MASK = '••••••••cdef';

const NO_LINKS = { upgradeUrl: null, guestSignupUrl: null, proAppUrl: null, termsUrl: null, contactUrl: null };

const patch = (changes: unknown) => admin.patch<AdminSettings>(WRITE, changes);

describe('the settings', () => {
  it('start with defaults, of which only the public ones are readable by all', async () => {
    const { body } = await (await server.guest()).get<PublicSettings>(READ);
    expect(body).toEqual({
      allowedEmailDomains: [],
      siteTitle: TEXTS.defaults.siteTitle,
      welcomeMessage: TEXTS.defaults.welcomeMessage,
      emptyThreadMessage: TEXTS.defaults.emptyThreadMessage,
      guestMessageQuota: 3,
      freeUserMessageQuota: 100,
      premiumUserMessageQuota: -1,
      quotaPeriod: 'never',
      registrationMode: 'open',
      guestsEnabled: true,
      sharingEnabled: true,
      totpRequired: { admin: false, member: false },
      passwordLogin: 'everyone',
      logo: null,
      planNames: { free: null, premium: null },
      showOtherApps: true,
      showUpgrade: true,
      passwordReset: false,
      defaultLanguage: 'spec',
      links: NO_LINKS,
      demo: true,
      transcriptionModelId: null,
    });
    const { client } = await server.member();
    expect((await client.get(READ)).body).toEqual(body);
    const seen = (await admin.get<AdminSettings>(READ)).body;
    expect(seen).toMatchObject({
      ...body,
      systemPrompt: SETTINGS.systemPrompt.default,
      openrouterApiKey: '',
      warnings: [],
    });
  });

  it('change field by field', async () => {
    const answer = await patch({ siteTitle: '  Toko Kita ', premiumUserMessageQuota: 1_000_000, quotaPeriod: 'daily' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      siteTitle: 'Toko Kita',
      premiumUserMessageQuota: 1_000_000,
      guestMessageQuota: 3,
    });
    expect(server.app.get(SettingsService).get()).toMatchObject({ siteTitle: 'Toko Kita', quotaPeriod: 'daily' });
    expect((await patch({})).body.siteTitle).toBe('Toko Kita');
  });

  it('answer what was stored, also where this node could not read it at first', async () => {
    const tables = server.app.get(SharedTables);
    const versions = tables.versions.bind(tables);
    let failures = 2;
    // The message to this node and the announcement read one after the other.
    jest.spyOn(tables, 'versions').mockImplementation(async (read) => {
      if (read.length > 1 || failures === 0) return versions(read);
      failures -= 1;
      throw new Error('broken');
    });
    const answer = await patch({ siteTitle: 'Warung Kita' });
    jest.restoreAllMocks();
    expect([answer.status, answer.body.siteTitle]).toEqual([200, 'Warung Kita']);
  });

  it.each([
    [{ siteTitle: ' ' }, 'siteTitle', TEXTS.validation.siteTitleRequired],
    [{ siteTitle: 'x'.repeat(51) }, 'siteTitle', TEXTS.validation.siteTitleLength],
    [{ siteTitle: null }, 'siteTitle', expect.any(String)],
    [{ welcomeMessage: '' }, 'welcomeMessage', TEXTS.validation.welcomeMessageRequired],
    [{ welcomeMessage: 'x'.repeat(201) }, 'welcomeMessage', TEXTS.validation.welcomeMessageLength],
    [{ systemPrompt: '' }, 'systemPrompt', TEXTS.validation.systemPromptRequired],
    [{ systemPrompt: 'x'.repeat(1001) }, 'systemPrompt', TEXTS.validation.systemPromptLength],
    [{ guestMessageQuota: 0 }, 'guestMessageQuota', TEXTS.validation.quotaMin],
    [{ guestMessageQuota: 101 }, 'guestMessageQuota', TEXTS.validation.guestQuotaMax],
    [{ guestMessageQuota: 1.5 }, 'guestMessageQuota', 'guestMessageQuota must be an integer number'],
    [{ guestMessageQuota: '3' }, 'guestMessageQuota', 'guestMessageQuota must be an integer number'],
    [{ guestMessageQuota: null }, 'guestMessageQuota', 'guestMessageQuota must be an integer number'],
    [{ premiumUserMessageQuota: '5' }, 'premiumUserMessageQuota', 'premiumUserMessageQuota must be an integer number'],
    [{ freeUserMessageQuota: 1001 }, 'freeUserMessageQuota', TEXTS.validation.freeQuotaMax],
    [{ premiumUserMessageQuota: -2 }, 'premiumUserMessageQuota', TEXTS.validation.premiumQuotaMin],
    [{ premiumUserMessageQuota: 1_000_001 }, 'premiumUserMessageQuota', TEXTS.validation.premiumQuotaMax],
    [{ quotaPeriod: 'yearly' }, 'quotaPeriod', expect.any(String)],
    [{ defaultLanguage: 'de' }, 'defaultLanguage', expect.any(String)],
    [{ defaultLanguage: null }, 'defaultLanguage', expect.any(String)],
    [{ changed: {} }, 'changed', expect.any(String)],
    [{ openaiApiKeySealed: 'x' }, 'openaiApiKeySealed', expect.any(String)],
    [{ openaiBaseUrl: 'file:///etc/passwd' }, 'openaiBaseUrl', expect.any(String)],
    [{ openaiBaseUrl: 'http://user:pass@host' }, 'openaiBaseUrl', expect.any(String)],
    [{ openaiBaseUrl: 'http://169.254.169.254/latest' }, 'openaiBaseUrl', expect.any(String)],
    [{ openaiBaseUrl: 'http://[::ffff:169.254.169.254]/' }, 'openaiBaseUrl', expect.any(String)],
    [{ upgradeUrl: 'javascript:alert(1)' }, 'upgradeUrl', expect.any(String)],
    [{ termsUrl: 'data:text/html,x' }, 'termsUrl', expect.any(String)],
    [{ contactUrl: null }, 'contactUrl', expect.any(String)],
    [{ proAppUrl: `https://host/${'x'.repeat(3000)}` }, 'proAppUrl', expect.any(String)],
    [{ starters: 'One idea' }, 'starters', expect.any(String)],
    [{ starters: [''] }, 'starters', expect.any(String)],
    [{ starters: [1] }, 'starters', expect.any(String)],
    [{ starters: [null] }, 'starters', expect.any(String)],
    [{ starters: ['x'.repeat(301)] }, 'starters', expect.any(String)],
    [{ starters: ['Twice', ' Twice'] }, 'starters', expect.any(String)],
    [{ starters: Array.from({ length: 101 }, (_, index) => `Idea ${index}`) }, 'starters', expect.any(String)],
  ])('refuse an invalid field, case %#', async (changes, field, message) => {
    const answer = await patch(changes);
    expect(answer.status).toBe(400);
    expect(errorOf(answer).details).toMatchObject([{ field, message: message as string }]);
  });

  it('are unchanged when they are sent back as they were read', async () => {
    const { updatedAt, ...read } = (await admin.get<AdminSettings>(READ)).body;
    expect(read.id).toBe(1);
    const answer = await patch({ ...read, updatedAt, demo: !read.demo, warnings: ['x'], links: { upgradeUrl: 'x' } });
    expect([answer.status, answer.body]).toEqual([200, { ...read, updatedAt: expect.any(String) }]);
    expect((await patch({ ...read, updatedAt, isPublic: true })).status).toBe(400);
  });

  it('keep keys and addresses of providers and searches that are null', async () => {
    const given = { openaiApiKey: KEY, tavilyApiKey: KEY, openrouterBaseUrl: 'https://models.example/v1' };
    expect((await patch(given)).status).toBe(200);
    const fields = ['openrouterApiKey', 'openaiApiKey', 'openrouterBaseUrl', 'openaiBaseUrl', 'braveApiKey'];
    const none = Object.fromEntries([...fields, 'tavilyApiKey', 'searxngUrl'].map((field) => [field, null]));
    const kept = { openaiApiKey: MASK, tavilyApiKey: MASK, openrouterBaseUrl: 'https://models.example/v1' };
    expect(await patch({ ...none, siteTitle: 'Toko Kita' })).toMatchObject({ status: 200, body: kept });
    const cleared = { openaiApiKey: '', tavilyApiKey: '', openrouterBaseUrl: '' };
    expect((await patch(cleared)).status).toBe(200);
  });

  it('hold the language of the site, which visitors read', async () => {
    for (const defaultLanguage of ['browser', 'id', 'spec']) {
      expect((await patch({ defaultLanguage })).body).toMatchObject({ defaultLanguage });
      expect((await server.client().get<PublicSettings>(READ)).body).toMatchObject({ defaultLanguage });
    }
  });

  it('keep both of two concurrent changes of different fields', async () => {
    const changes = [{ welcomeMessage: 'Halo' }, { systemPrompt: 'Be brief.' }, { termsUrl: 'https://terms.example/' }];
    await Promise.all(changes.map(patch));
    expect((await admin.get<AdminSettings>(READ)).body).toMatchObject(Object.assign({}, ...changes));
    const before = (await admin.get<AdminSettings>(READ)).body.maxSteps;
    await Promise.all([{ maxSteps: { free: 4 } }, { maxSteps: { premium: 12 } }].map(patch));
    const after = { ...before, free: 4, premium: 12 };
    expect((await admin.get<AdminSettings>(READ)).body.maxSteps).toEqual(after);
    expect((await patch({ maxSteps: before })).status).toBe(200);
  });

  it('are writable by admins alone (SET-3)', async () => {
    const { client } = await server.member();
    expect((await client.patch(WRITE, { siteTitle: 'Mine' })).status).toBe(403);
    expect((await (await server.guest()).patch(WRITE, { siteTitle: 'Mine' })).status).toBe(401);
  });

  it('do not expand placeholders (SET-4)', async () => {
    const siteTitle = '${APP_SECRET} {{DATABASE_URL}}';
    expect((await patch({ siteTitle })).body.siteTitle).toBe(siteTitle);
  });
});

describe('the links of the page', () => {
  let app: TestApp;
  let appAdmin: HttpClient;

  beforeAll(async () => {
    const links = {
      upgradeUrl: 'https://env.example/vip',
      guestSignupUrl: 'https://env.example/join',
      proAppUrl: null,
    };
    app = await startTestApp({ env: { links } });
    appAdmin = await app.admin();
  });

  afterAll(() => app.close());

  const shown = async () => (await (await app.guest()).get<PublicSettings>(READ)).body.links;

  it('come from the settings, else from the environment', async () => {
    const environment = { upgradeUrl: 'https://env.example/vip', guestSignupUrl: 'https://env.example/join' };
    expect(await shown()).toEqual({ ...NO_LINKS, ...environment });
    const own = { upgradeUrl: 'https://shop.example/vip', termsUrl: 'https://shop.example/terms' };
    const saved = await appAdmin.patch<AdminSettings>(WRITE, { ...own, contactUrl: ' mailto:help@shop.example ' });
    expect(saved.body).toMatchObject({ ...own, contactUrl: 'mailto:help@shop.example', guestSignupUrl: '' });
    expect(await shown()).toEqual({ ...NO_LINKS, ...environment, ...own, contactUrl: 'mailto:help@shop.example' });
    await appAdmin.patch(WRITE, { upgradeUrl: '', termsUrl: '', contactUrl: '' });
    expect(await shown()).toEqual({ ...NO_LINKS, ...environment });
  });

  it('are not copied from the environment when the settings are sent back as they were read', async () => {
    const { body } = await appAdmin.get<AdminSettings>(READ);
    expect((await appAdmin.patch<AdminSettings>(WRITE, body)).body.upgradeUrl).toBe('');
  });
});

describe('a provider’s key', () => {
  afterEach(async () => {
    await patch({ openrouterApiKey: '', openrouterBaseUrl: '', openaiApiKey: '', openaiBaseUrl: '' });
  });

  it('is returned masked and stored sealed (SET-2)', async () => {
    expect((await patch({ openrouterApiKey: KEY })).body.openrouterApiKey).toBe(MASK);
    expect((await admin.get(READ)).text).not.toContain(KEY);
    for (const table of ['setting', 'provider_connection', 'audit_entry'])
      expect(JSON.stringify(await server.dataSource.query(`select * from ${table}`))).not.toContain(KEY);
    expect((await (await server.guest()).get<PublicSettings>(READ)).body.demo).toBe(false);
  });

  it('is kept when it is omitted or its mask is sent, and removed when it is empty (SET-2)', async () => {
    const stored = () => server.app.get(ConnectionsService).storedOf('openrouter').apiKey;
    await patch({ openrouterApiKey: KEY });
    await patch({ siteTitle: 'Another' });
    expect(stored()).toBe(KEY);
    await patch({ openrouterApiKey: MASK });
    expect(stored()).toBe(KEY);
    const refused = await patch({ openrouterApiKey: `${MASK}x` });
    expect(refusedField(refused)).toBe('openrouterApiKey');
    expect(stored()).toBe(KEY);
    await patch({ openrouterApiKey: '' });
    expect(stored()).toBeNull();
  });

  it('is required again when the base URL changes (SET-3)', async () => {
    await patch({ openaiApiKey: KEY });
    for (const openaiApiKey of [undefined, MASK]) {
      const refused = await patch({ openaiApiKey, openaiBaseUrl: 'https://elsewhere.example/v1' });
      expect(refused.status).toBe(400);
      expect(refusedField(refused)).toBe('openaiApiKey');
    }
    const moved = await patch({ openaiApiKey: KEY, openaiBaseUrl: 'https://elsewhere.example/v1/' });
    expect(moved.body).toMatchObject({ openaiApiKey: MASK, openaiBaseUrl: 'https://elsewhere.example/v1' });
    expect((await patch({ openaiBaseUrl: 'https://elsewhere.example/v1' })).status).toBe(200);
    expect((await patch({ openaiBaseUrl: '' })).status).toBe(400);
  });

  it('is tested against the provider', async () => {
    const upstream = await startUpstream();
    try {
      const test = (provider: string) =>
        admin.post<TestProviderResponse>('/api/admin/settings/test-provider', { provider });
      expect((await test('openai')).body.ok).toBe(false);
      await patch({ openaiApiKey: KEY, openaiBaseUrl: `${upstream.url}/v1` });
      const answer = await test('openai');
      expect(answer.status).toBe(200);
      expect(answer.body.message).not.toContain(KEY);
      expect((await test('file')).status).toBe(400);
    } finally {
      await upstream.close();
    }
  });
});

describe('a key of the environment', () => {
  it('is never sent to a base URL of the settings (SET-3)', async () => {
    const app = await startTestApp({ env: { openai: { apiKey: 'sk-from-the-environment', baseUrl: null } } });
    const registry = app.app.get(ProviderRegistry);
    const seen: unknown[] = [];
    const setConnections = registry.setConnections.bind(registry);
    registry.setConnections = (rows) => {
      seen.push(rows.find(({ builtIn }) => builtIn === 'openai')!.access);
      setConnections(rows);
    };
    const appAdmin = await app.admin();
    expect((await appAdmin.get<AdminSettings>(READ)).body).toMatchObject({ openaiApiKey: '', demo: false });
    await appAdmin.patch(WRITE, { openaiBaseUrl: 'https://elsewhere.example/v1' });
    expect(seen.at(-1)).toEqual({ apiKey: null, baseUrl: 'https://elsewhere.example/v1' });
    await appAdmin.patch(WRITE, { openaiBaseUrl: '' });
    expect(seen.at(-1)).toEqual({ apiKey: 'sk-from-the-environment', baseUrl: null });
    await app.close();
  });
});

describe('several nodes', () => {
  it('apply a change that was made on another node', async () => {
    const redis = await startRedis();
    const database = await createDatabase();
    const env = { redisUrl: redis.url, appSecret: 'the same on both of these nodes!' };
    const one = await startTestApp({ database, env });
    const two = await startTestApp({ database, env });
    await (await one.admin()).patch(WRITE, { siteTitle: 'Everywhere', guestMessageQuota: 7, openaiApiKey: KEY });
    const settings = two.app.get(SettingsService);
    await waitUntil('the change', () => settings.get().siteTitle === 'Everywhere');
    expect(settings.get()).toMatchObject({ siteTitle: 'Everywhere', guestMessageQuota: 7 });
    await waitUntil('the key', () => two.app.get(ConnectionsService).storedOf('openai').apiKey === KEY);
    expect((await two.client().get<PublicSettings>(READ)).body.demo).toBe(false);
    await Promise.all([one.close(), two.close()]);
    await database.drop();
    await redis.stop();
  });
});

describe('warnings', () => {
  it('report an undeclared proxy and unreadable keys', async () => {
    const database = await createDatabase();
    const one = await startTestApp({ database, env: { trustProxy: null } });
    const appAdmin = await one.admin();
    await appAdmin.patch(WRITE, { openaiApiKey: KEY });
    expect((await appAdmin.get<AdminSettings>(READ)).body.warnings).toEqual([{ code: 'proxy_undeclared' }]);
    await one.close();
    const two = await startTestApp({ database });
    const { warnings } = (await (await two.admin()).get<AdminSettings>(READ)).body;
    expect(warnings).toEqual([{ code: 'key_unreadable', params: { name: 'OpenAI' } }]);
    await two.close();
    await database.drop();
  });
});
