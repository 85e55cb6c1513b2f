import { randomUUID } from 'node:crypto';
import type {
  AdminSettings,
  ApiKeyResponse,
  IdentityProvider,
  ProviderConnection,
  ToolServer,
  TotpEnrollment,
} from '@tanya/contract';
import type { DataSource } from 'typeorm';
import type { Cell } from '../../src/platform/secrets/secret-box.js';
import { SEALED_COLUMNS, type SealedColumn, selectSealed } from '../../src/platform/secrets/sealed-columns.js';
import { deleteUsedCodes, enrolledMember, type EnrolledMember } from '../auth/totp-harness.js';
import { HttpClient } from '../harness/http-client.js';
import { PASSWORD, type TestApp } from '../harness/test-app.js';
import { codeOf } from '../harness/totp-codes.js';

/** Texts that `storeEverything` seals, by column. */
export const TEXTS = {
  'setting.brave_api_key_sealed': 'brave-key-of-the-settings',
  'setting.tavily_api_key_sealed': 'tavily-key-of-the-settings',
  'setting.alert_webhook_secret_sealed': 'secret-of-the-settings',
  'provider_connection.api_key_sealed': 'sk-of-the-settings',
  'identity_provider.client_secret_sealed': 'secret-of-an-identity-provider',
  'tool_server.headers_sealed': JSON.stringify({ Authorization: 'Bearer of a tool server' }),
} as const;

export interface StoredValue extends Cell {
  row: number;
  sealed: string;
}

/** A member with a second factor, an unconfirmed one and an API key, and what its owner should read. */
export interface SealedMember extends EnrolledMember {
  pending: string;
  apiKey: string;
}

/** Stores a value in every sealed column, through the calls of the product. */
export async function storeEverything(server: TestApp): Promise<SealedMember> {
  const admin = await server.admin();
  const keys = {
    openrouterApiKey: TEXTS['provider_connection.api_key_sealed'],
    openaiApiKey: TEXTS['provider_connection.api_key_sealed'],
    braveApiKey: TEXTS['setting.brave_api_key_sealed'],
    tavilyApiKey: TEXTS['setting.tavily_api_key_sealed'],
    alertWebhookSecret: TEXTS['setting.alert_webhook_secret_sealed'],
  };
  expect((await admin.patch('/api/admin/general-settings', keys)).status).toBe(200);
  const connection = {
    kind: 'compatible',
    name: randomUUID(),
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: TEXTS['provider_connection.api_key_sealed'],
  };
  expect((await admin.post('/api/admin/connections', connection)).status).toBe(201);
  const identityProvider = {
    label: 'Company',
    issuer: 'http://127.0.0.1:9',
    clientId: 'tanya',
    clientSecret: TEXTS['identity_provider.client_secret_sealed'],
    provision: 'open',
  };
  expect((await admin.post('/api/admin/identity-providers', identityProvider)).status).toBe(201);
  const headers = JSON.parse(TEXTS['tool_server.headers_sealed']) as Record<string, string>;
  const toolServer = { name: randomUUID(), url: 'http://127.0.0.1:9/mcp', headers };
  expect((await admin.post('/api/admin/tool-servers', toolServer)).status).toBe(201);
  const member = await enrolledMember(server);
  const code = codeOf(member.secret, 1);
  const again = await member.client.post<TotpEnrollment>('/api/user/totp/enroll', { password: PASSWORD, code });
  expect(again.status).toBe(200);
  const { apiKey } = (await member.client.post<ApiKeyResponse>('/api/user/apikey/generate')).body;
  return { ...member, pending: again.body.secret, apiKey: apiKey! };
}

/** Every sealed value of the database. */
export async function storedValues(dataSource: DataSource): Promise<StoredValue[]> {
  const columns = await dataSource.query<SealedColumn[]>(SEALED_COLUMNS);
  const values = columns.map(async ({ table, column, ...rest }) => {
    const sql = selectSealed({ table, column, ...rest });
    const rows = await dataSource.query<{ row: number; sealed: string }[]>(sql, ['.', 0]);
    return rows.map((row) => ({ table, column, ...row }));
  });
  return (await Promise.all(values)).flat();
}

/** Expects that every kind of value reads as it was stored. */
export async function expectEverything(server: TestApp, member: SealedMember): Promise<void> {
  const admin = await server.admin();
  const settings = (await admin.get<AdminSettings>('/api/general-settings')).body;
  expect(settings).toMatchObject({
    openrouterApiKey: '••••••••ings',
    openaiApiKey: '••••••••ings',
    braveApiKey: '••••••••ings',
    tavilyApiKey: '••••••••ings',
    alertWebhookSecret: '••••••••ings',
  });
  expect(settings.warnings).toEqual([]);
  const connections = (await admin.get<ProviderConnection[]>('/api/admin/connections')).body;
  expect(connections.at(-1)).toMatchObject({ apiKey: '••••••••ings' });
  const toolServers = (await admin.get<ToolServer[]>('/api/admin/tool-servers')).body;
  expect(toolServers).toMatchObject([{ areHeadersUnreadable: false }]);
  const providers = (await admin.get<IdentityProvider[]>('/api/admin/identity-providers')).body;
  expect(providers).toMatchObject([{ isSecretUnreadable: false }]);
  const browser = server.client();
  await deleteUsedCodes(server, member.user.id);
  const login = { username: member.username, password: PASSWORD, code: codeOf(member.secret) };
  expect((await browser.post('/api/login', login)).status).toBe(200);
  expect((await browser.get<ApiKeyResponse>('/api/user/apikey')).body.apiKey).toBe(member.apiKey);
}

/** The browser of an earlier server, at the address of this one. */
export const movedTo = (server: TestApp, { address, cookies }: HttpClient): HttpClient =>
  new HttpClient(server.url, address, new Map(cookies));
