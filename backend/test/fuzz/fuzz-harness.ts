import { randomUUID } from 'node:crypto';
import {
  type AdminSettings,
  LIMITS,
  type SendMessageResponse,
  SETTINGS,
  type StoredFile,
  type User,
} from '@tanya/contract';
import pg from 'pg';
import { HttpClient } from '../harness/http-client.js';
import { createDatabase } from '../harness/postgres.js';
import { MeasuredProcess } from '../harness/servers/measured-process.js';
import { startUpstream } from '../harness/scripted-upstream.js';
import { ADMIN, PASSWORD } from '../harness/test-app.js';
import type { Attacker, FuzzRoute } from './hostile-inputs.js';

export interface Victim {
  userId: number;
  threadId: number;
  messageId: number;
  generationId: string;
  fileId: string;
}

export interface Harness {
  server: MeasuredProcess;
  routes: FuzzRoute[];
  /** Schemas of the bodies, by name. */
  schemas: Record<string, Schema>;
  victim: Victim;
  /** Headers of each attacker. Attackers are new at each call, except the admin, who signs in again when needed. */
  attackers(): Promise<Record<Attacker, Record<string, string>>>;
  guest(): Promise<HttpClient>;
  /** Gives guests and members as many messages as the settings allow. */
  raiseQuotas(): Promise<void>;
  /** The victim's rows of every table, and attackers that became admins. */
  damage(): Promise<{ rows: string; admins: string[] }>;
  /** Messages charged to calls of programs. */
  charged(): Promise<number>;
  close(): Promise<void>;
}

const ADDRESSED = ['thread', 'file', 'generation', 'quota_account', 'usage_record'];

const TRANSCRIBER = 'openai/whisper-1';

let count = 0;
const nextAddress = () => `10.9.${(count += 1) >> 8}.${count & 255}`;

/** Starts the built server with its dependencies, and creates a victim with data. */
export async function startFuzzHarness(): Promise<Harness> {
  const database = await createDatabase();
  const upstream = await startUpstream({ words: 1, parsesUpTo: LIMITS.jsonBytes });
  const key = { OPENAI_API_KEY: 'sk-never-to-be-seen', OPENAI_BASE_URL: upstream.url };
  const provider = { ...key, OPENROUTER_API_KEY: 'sk-never-to-be-seen', OPENROUTER_BASE_URL: upstream.url };
  const server = await MeasuredProcess.start(database.url, provider);
  const sql = new pg.Client(database.url);
  await sql.connect();
  const client = () => new HttpClient(server.url, nextAddress());
  const register = async () => {
    const browser = client();
    const body = { username: `fuzz-${randomUUID()}`, password: PASSWORD };
    return { browser, user: (await browser.post<User>('/api/register', body)).body };
  };
  const guest = async () => {
    const browser = client();
    await browser.get('/api/general-settings');
    return browser;
  };
  let admin = client();
  const signIn = async () => {
    if ((await admin.get('/api/user')).status === 200) return;
    admin = client();
    // The inputs log the admin out more often than an account may log in.
    await sql.query(`delete from rate_limit where key like 'tanya:limit:logins:%'`);
    await admin.post('/api/login', ADMIN);
  };
  await signIn();
  // Without its model a dictation is refused before its form is read.
  await admin.post('/api/admin/models', { modelId: TRANSCRIBER });
  // A title would come while the inputs run, and change the victim's rows.
  await setTo(admin, { transcriptionModelId: TRANSCRIBER, generatedTitles: false });
  const victim = await victimOf(await register());
  const { body: document } = await client().get<ApiDocument>('/api/docs-json');
  return {
    server,
    victim,
    guest,
    routes: routesOf(document),
    schemas: document.components.schemas,
    raiseQuotas: async () => {
      await signIn();
      await setTo(admin, {
        guestMessageQuota: SETTINGS.guestMessageQuota.max,
        freeUserMessageQuota: SETTINGS.freeUserMessageQuota.max,
        guestAddressDailyQuota: SETTINGS.guestAddressDailyQuota.max,
        guestHourlyBudget: SETTINGS.guestHourlyBudget.max,
      });
    },
    attackers: async () => {
      const { browser: member } = await register();
      await signIn();
      const { apiKey } = (await member.post<{ apiKey: string }>('/api/user/apikey/generate')).body;
      return {
        visitor: { 'x-forwarded-for': nextAddress() },
        guest: headersOf(await guest()),
        member: headersOf(member),
        admin: headersOf(admin),
        key: { authorization: `Bearer ${apiKey}`, 'x-forwarded-for': nextAddress() },
      };
    },
    damage: async () => {
      const owner = `user:${victim.userId}`;
      const rows = [(await sql.query('select * from "user" where id = $1', [victim.userId])).rows];
      for (const table of ADDRESSED) {
        rows.push((await sql.query(`select * from ${table} where owner = $1 order by 1`, [owner])).rows);
      }
      for (const table of ['message', 'user_preference']) {
        rows.push((await sql.query(`select * from ${table} where user_id = $1 order by 1`, [victim.userId])).rows);
      }
      rows.push((await sql.query('select * from message_feedback where message_id = $1', [victim.messageId])).rows);
      const admins = await sql.query<{ username: string }>(
        `select username from "user" where is_admin and username like 'fuzz-%'`,
      );
      return { rows: JSON.stringify(rows), admins: admins.rows.map(({ username }) => username) };
    },
    charged: async () => {
      const { rows } = await sql.query<{ charged: number }>(
        `select coalesce(sum(cost), 0)::int as charged from usage_record where channel = 'api' and state = 'charged'`,
      );
      return rows[0]!.charged;
    },
    close: async () => {
      await server.stop();
      await sql.end();
      await upstream.close();
      await database.drop();
    },
  };
}

async function setTo(admin: HttpClient, settings: Partial<AdminSettings>): Promise<void> {
  const { status } = await admin.patch('/api/admin/general-settings', settings);
  if (status !== 200) throw new Error(`The settings were refused with ${status}`);
}

export const headersOf = ({ cookieHeader, address }: HttpClient) => ({
  cookie: cookieHeader,
  'x-forwarded-for': address,
});

async function victimOf({ browser, user }: { browser: HttpClient; user: User }): Promise<Victim> {
  const { body } = await browser.post<SendMessageResponse>('/api/chat/message', { content: 'A secret of mine' });
  const form = new FormData();
  form.set('file', new Blob(['a note'], { type: 'text/plain' }), 'note.txt');
  const file = await browser.send<StoredFile>('POST', '/api/files', { raw: form });
  await browser.put(`/api/chat/messages/${body.aiMessage.id}/feedback`, { rating: 'up', reason: 'mine' });
  await browser.patch('/api/user/preferences', { aboutMe: 'A secret of mine' });
  return {
    userId: user.id,
    threadId: body.threadId,
    messageId: body.aiMessage.id,
    generationId: body.aiMessage.generationId!,
    fileId: file.body.id,
  };
}

/** The parts of a schema that inputs are made from. */
export interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  enum?: unknown[];
  maxItems?: number;
  maxLength?: number;
}

interface ApiDocument {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
}

/** Every route of the API description, with a nearly valid input to mutate. */
function routesOf(document: ApiDocument): FuzzRoute[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]): FuzzRoute => {
      const [type = null, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      const name = content?.schema.$ref?.split('/').at(-1);
      const properties = document.components.schemas[name ?? '']?.properties ?? {};
      const valid = Object.entries(properties).map(([field, { type }]) => [field, sample(field, type)]);
      return {
        method: method.toUpperCase(),
        path,
        type,
        schema: name ?? null,
        fields: Object.keys(properties),
        valid: Object.fromEntries(valid) as Record<string, unknown>,
      };
    }),
  );
}

const SAMPLES: Record<string, unknown> = {
  password: PASSWORD,
  content: 'Hello',
  model: 'openai/gpt-4o-mini',
  modelId: 'openai/gpt-4o-mini',
  messages: [{ role: 'user', content: 'Hello' }],
  input: 'Hello',
  prompt: 'a cat',
  email: 'member@example.org',
  provider: 'openai',
  action: 'archive',
  ids: [1],
  rating: 'up',
  reason: 'clear',
  stream: true,
  n: 1,
};

function sample(field: string, type: string | undefined): unknown {
  if (field in SAMPLES) return SAMPLES[field];
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number' ? 2 : undefined;
}
