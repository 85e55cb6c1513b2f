import { setTimeout as sleep } from 'node:timers/promises';
import type { SendMessageResponse, StoredFile } from '@tanya/contract';
import { UsersService } from '../../src/users/users.service.js';
import { errorOf, HttpClient } from '../harness/http-client.js';
import { startUpstream, type ScriptedUpstream } from '../harness/scripted-upstream.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

/** The clients of every route. `visitor` has no cookie; `owner` owns the objects; `key` has the owner's API key and no cookie. */
export const ACTORS = ['visitor', 'guest', 'owner', 'other', 'premium', 'admin', 'key'] as const;
export type Actor = (typeof ACTORS)[number];

/** Objects of one owner: a thread with an answer, and a file. */
export interface Belongings {
  threadId: number;
  messageId: number;
  aiMessageId: number;
  generationId: string;
  fileId: string;
}

export type Actors = Record<Actor, HttpClient>;

export interface SecurityHarness extends TestApp {
  upstream: ScriptedUpstream;
  /** Creates one new client per actor. */
  createActors(): Promise<Actors>;
  belongings(owner: HttpClient): Promise<Belongings>;
  /** Inserts a model. */
  model(): Promise<{ id: number; modelId: string }>;
  /** Creates an account without a session. */
  userId(): Promise<number>;
  /** Digest of the rows of each table, without sessions, heartbeats and times of calls. */
  fingerprint(): Promise<Record<string, string>>;
}

/** API client that sends a key and never a cookie. */
class ApiClient extends HttpClient {
  constructor(
    url: string,
    address: string,
    private readonly key: string,
  ) {
    super(url, address);
  }

  override send<T = unknown>(method: string, path: string, options: Parameters<HttpClient['send']>[2] = {}) {
    this.cookies.clear();
    return super.send<T>(method, path, {
      ...options,
      headers: { Authorization: `Bearer ${this.key}`, ...options.headers },
    });
  }
}

const NEVER_MS = 24 * 60 * 60_000;

const TABLES = [
  'api_response',
  'user',
  'user_preference',
  'thread',
  'message',
  'message_feedback',
  'model',
  'setting',
  'file',
  'share',
  'imported_thread',
  'generation',
  'quota_account',
  'budget_account',
  'usage_record',
  'api_key',
  'passkey',
  'audit_entry',
];

/** The site may ask for ideas at its own cost when someone reads them, and notes refused logins. */
const CONDITIONS: Record<string, string> = {
  usage_record: `where owner <> 'site'`,
  audit_entry: `where target_kind <> 'login'`,
};

let count = 0;

/** Starts the whole server in front of a scripted provider. */
export async function startSecurityHarness(): Promise<SecurityHarness> {
  const upstream = await startUpstream({ words: 2 });
  const access = { apiKey: 'sk-scripted-upstream', baseUrl: upstream.url };
  // The threads that a route deleted would change the tables later.
  const timings = { threadSweep: NEVER_MS };
  const server = await startTestApp({ env: { openai: access, openrouter: access }, timings });
  const { dataSource } = server;
  const member = async (fields: Parameters<TestApp['member']>[0] = {}) => (await server.member(fields)).client;
  return {
    ...server,
    upstream,
    createActors: async () => {
      const owner = await member();
      const { body } = await owner.post<{ apiKey: string }>('/api/user/apikey/generate');
      return {
        visitor: server.client(),
        guest: await server.guest(),
        owner,
        other: await member(),
        premium: await member({ isPremium: true }),
        admin: await member({ isAdmin: true }),
        key: new ApiClient(server.url, server.client().address, body.apiKey),
      };
    },
    belongings: belongingsOf,
    userId: async () => {
      const username = `account-${(count += 1)}`;
      return (await server.app.get(UsersService).create({ username, password: PASSWORD })).id;
    },
    model: async () => {
      const modelId = `scripted/model-${(count += 1)}`;
      const [row] = await dataSource.query<[{ id: number }]>(
        `insert into model (model_id, name, provider) values ($1, 'Scripted', 'Scripted') returning id`,
        [modelId],
      );
      return { id: row.id, modelId };
    },
    fingerprint: async () => {
      const prints = TABLES.map(
        (table) => `select '${table}' as table, md5(coalesce(string_agg(row, '' order by row), '')) as print
          from (select (to_jsonb(t) - 'last_seen_at' - 'last_used_at')::text as row
            from "${table}" t ${CONDITIONS[table] ?? ''}) rows`,
      );
      const rows = await dataSource.query<{ table: string; print: string }[]>(prints.join(' union all '));
      return Object.fromEntries(rows.map(({ table, print }) => [table, print]));
    },
    close: async () => {
      await server.close();
      await upstream.close();
    },
  };
}

export function textFile(name = 'note.txt'): FormData {
  const form = new FormData();
  form.set('file', new Blob(['a note of one line'], { type: 'text/plain' }), name);
  return form;
}

async function belongingsOf(browser: HttpClient): Promise<Belongings> {
  const sent = await browser.post<SendMessageResponse>('/api/chat/message', { content: 'Hello' });
  // There are as many routes as sends are allowed in a minute.
  if (sent.status === 429) {
    await sleep(errorOf(sent).retryAfter! * 1_000);
    return belongingsOf(browser);
  }
  if (sent.status !== 201) throw new Error(`no thread: ${sent.text}`);
  const file = await browser.send<StoredFile>('POST', '/api/files', { raw: textFile() });
  if (file.status !== 201) throw new Error(`no file: ${file.text}`);
  const { threadId, userMessage, aiMessage } = sent.body;
  return {
    threadId,
    messageId: userMessage.id,
    aiMessageId: aiMessage.id,
    generationId: aiMessage.generationId!,
    fileId: file.body.id,
  };
}
