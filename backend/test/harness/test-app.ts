import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import type { INestApplication } from '@nestjs/common';
import type { CreateUserRequest, User } from '@tanya/contract';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.js';
import { type Env, readEnv } from '../../src/config/env.js';
import type { Timings } from '../../src/config/timings.js';
import { TextExtractor } from '../../src/files/extract/text-extractor.js';
import { ImageEncoder } from '../../src/files/images/image-encoder.js';
import { PasswordsService } from '../../src/users/passwords.service.js';
import { UsersService } from '../../src/users/users.service.js';
import { cacheFiles } from './caches/file-cache.js';
import { HttpClient } from './http-client.js';
import { cacheHashes } from './caches/password-cache.js';
import { createDatabase, type TestDatabase } from './postgres.js';
import { WAIT_TIMEOUT_MS } from './wait-until.js';

export const ADMIN = { username: 'admin', password: 'the first admin of all' };

/** A password that meets the rules and is not on the list of common ones. */
export const PASSWORD = 'a quiet harbour at dawn';

/**
 * The check of the image library starts a process, which no test needs. A call for a title would come between the calls of
 * the scripted provider.
 */
const NEVER_MS = 24 * 60 * 60_000;

export interface Member {
  client: HttpClient;
  user: User;
  username: string;
}

export interface TestApp {
  url: string;
  app: INestApplication;
  env: Env;
  dataSource: DataSource;
  /** A new browser without cookies, with a random client address by default. */
  client(address?: string): HttpClient;
  /** A new browser with a guest cookie. */
  guest(): Promise<HttpClient>;
  /** A new account and a browser with its session. */
  member(fields?: Partial<CreateUserRequest>): Promise<Member>;
  /** A new browser with the session of the first admin, which such browsers share while it lasts. */
  admin(): Promise<HttpClient>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  env?: Partial<Env>;
  timings?: Partial<Timings>;
  /** A database shared between several apps. Without one, a database is created, and dropped with the app. */
  database?: TestDatabase;
  /** Whether each password is hashed once per test file; true by default. Tests of hashing turn it off. */
  cachesHashes?: boolean;
  /** Whether each image and document is read once per test file; true by default. Tests of their processes turn it off. */
  cachesFiles?: boolean;
}

/**
 * Starts the whole server on a free port, in process. Without a provider in `env` the demo answers at its natural pace,
 * some seconds each: tests that send messages use `startChatHarness`.
 */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await createDatabase());
  const env: Env = { ...testEnv(database.url), ...options.env };
  const app = await createApp({ env, timings: { imageCheck: NEVER_MS, titlePause: NEVER_MS, ...options.timings } });
  waitForConnections(app.get(DataSource));
  if (options.cachesHashes !== false) cacheHashes(app.get(PasswordsService));
  if (options.cachesFiles !== false) cacheFiles(app.get(ImageEncoder), app.get(TextExtractor));
  await app.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  const client = (address = randomAddress(), cookies?: Map<string, string>) => new HttpClient(url, address, cookies);
  /** Logged in once, because an account may log in 30 times in a quarter of an hour. */
  let admin: HttpClient | null = null;
  const signIn = async (username: string, password: string): Promise<HttpClient> => {
    const browser = client();
    const answer = await browser.post('/api/login', { username, password });
    if (answer.status !== 200) throw new Error(`login failed: ${answer.text}`);
    return browser;
  };
  return {
    url,
    app,
    env,
    dataSource: app.get(DataSource),
    client,
    guest: async () => {
      const browser = client();
      await browser.get('/api/general-settings');
      return browser;
    },
    member: async (fields = {}) => {
      const username = fields.username ?? `member-${randomUUID()}`;
      const { isAdmin = false, isPremium = false } = fields;
      const user = await app.get(UsersService).create({ password: PASSWORD, ...fields, username, isAdmin, isPremium });
      const browser = await signIn(username, fields.password ?? PASSWORD);
      return { client: browser, username, user: { ...user } };
    },
    admin: async () => {
      if ((await admin?.get('/api/user'))?.status !== 200) admin = await signIn(ADMIN.username, ADMIN.password);
      return client(undefined, new Map(admin!.cookies));
    },
    close: async () => {
      await app.close();
      if (options.database === undefined) await database.drop();
    },
  };
}

/** Makes parallel requests wait longer for a connection of the pool than in production, as a loaded machine needs it. */
function waitForConnections({ driver }: DataSource): void {
  (driver as unknown as { master: Pool }).master.options.connectionTimeoutMillis = WAIT_TIMEOUT_MS;
}

function testEnv(databaseUrl: string): Env {
  const env = readEnv({
    DATABASE_URL: databaseUrl,
    APP_SECRET: randomBytes(32).toString('base64url'),
    PUBLIC_URL: 'http://127.0.0.1',
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(process.env.TANYA_TEST_FOLDER ?? tmpdir(), randomUUID()),
    TRUST_PROXY: '1',
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'silent',
  });
  // The port is not known yet, so the origin is taken from the Host header, as in development.
  return { ...env, publicUrl: null };
}

function randomAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
}
