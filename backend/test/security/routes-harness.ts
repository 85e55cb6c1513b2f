import type { SendMessageResponse, StoredFile } from '@tanya/contract';
import { UsersService } from '../../src/users/users.service.js';
import { HttpClient } from '../harness/http-client.js';
import { startUpstream, type ScriptedUpstream } from '../harness/scripted-upstream.js';
import { PASSWORD, startTestApp, type TestApp } from '../harness/test-app.js';

/** Everybody who may ask. `owner` has the objects; `key` bears the owner's API key and has no cookie. */
export const ACTORS = ['nobody', 'guest', 'owner', 'other', 'premium', 'admin', 'key'] as const;
export type Actor = (typeof ACTORS)[number];

/** Things that somebody has: a thread with an answer, and a file. */
export interface Belongings {
  threadId: number;
  messageId: number;
  aiMessageId: number;
  generationId: string;
  fileId: string;
}

export type Cast = Record<Actor, HttpClient>;

export interface World extends TestApp {
  upstream: ScriptedUpstream;
  /** One of each, none seen before. */
  cast(): Promise<Cast>;
  belongings(owner: HttpClient): Promise<Belongings>;
  /** A model that nothing else uses. */
  model(): Promise<{ id: number; modelId: string }>;
  /** An account that nobody is signed in to. */
  userId(): Promise<number>;
  /** What all rows of all tables say, sessions and signs of life aside. */
  fingerprint(): Promise<Record<string, string>>;
}

/** Says who it is on every call, with a key in place of cookies. */
class Program extends HttpClient {
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

const TABLES = ['user', 'thread', 'message', 'model', 'setting', 'file', 'generation', 'quota_account', 'usage_record'];

let count = 0;

/** The whole server with everybody in it. */
export async function startWorld(): Promise<World> {
  const upstream = await startUpstream({ words: 2 });
  const access = { apiKey: 'sk-scripted-upstream', baseUrl: upstream.url };
  const server = await startTestApp({ env: { openai: access, openrouter: access } });
  const { dataSource } = server;
  const member = async (fields: Parameters<TestApp['member']>[0] = {}) => (await server.member(fields)).client;
  return {
    ...server,
    upstream,
    cast: async () => {
      const owner = await member();
      const { body } = await owner.post<{ apiKey: string }>('/api/user/apikey/generate');
      return {
        nobody: server.client(),
        guest: await server.guest(),
        owner,
        other: await member(),
        premium: await member({ isPremium: true }),
        admin: await member({ isAdmin: true }),
        key: new Program(server.url, server.client().address, body.apiKey),
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
      const prints = TABLES.map(async (table) => {
        const [{ print }] = await dataSource.query<[{ print: string }]>(
          `select md5(coalesce(string_agg(t::text, '' order by t::text), '')) as print from "${table}" t`,
        );
        return [table, print] as const;
      });
      return Object.fromEntries(await Promise.all(prints));
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
  if (sent.status !== 201) throw new Error(`nothing to own: ${sent.text}`);
  const file = await browser.send<StoredFile>('POST', '/api/files', { raw: textFile() });
  if (file.status !== 201) throw new Error(`no file to own: ${file.text}`);
  const { threadId, userMessage, aiMessage } = sent.body;
  return {
    threadId,
    messageId: userMessage.id,
    aiMessageId: aiMessage.id,
    generationId: aiMessage.generationId!,
    fileId: file.body.id,
  };
}
