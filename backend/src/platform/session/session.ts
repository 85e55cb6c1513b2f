import { RedisStore } from 'connect-redis';
import pgSimple from 'connect-pg-simple';
import type { RequestHandler } from 'express';
import session from 'express-session';
import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import type { Env } from '../../config/env.js';
import type { SecretBox } from '../secrets/secret-box.js';

declare module 'express-session' {
  interface SessionData {
    userId: number;
    /** The user's session epoch when it was made; an older one is a dead session. */
    epoch: number;
    /** When it ends whatever happens, ms since 1970. */
    endsAt: number;
  }
}

const DAY = 24 * 60 * 60 * 1000;

/** With Remember me; idle time and absolute end alike. */
export const REMEMBERED_SESSION = 30 * DAY;

/** Without it the cookie ends with the browser and the server forgets it after a day without a request. */
export const BROWSER_SESSION = DAY;

const isSecure = (env: Env) => env.publicUrl?.protocol === 'https:';

export const sessionCookieName = (env: Env): string => (isSecure(env) ? '__Host-tanya.sid' : 'tanya.sid');

/** Attributes that every cookie of ours has. */
export const cookieAttributes = (env: Env) => ({
  path: '/',
  httpOnly: true,
  secure: isSecure(env),
  sameSite: 'lax' as const,
});

/** The store's own pool would be a second one: it shares TypeORM's. */
function postgresStore(dataSource: DataSource): session.Store {
  const PgStore = pgSimple(session);
  const { master } = dataSource.driver as unknown as { master: object };
  return new PgStore({
    pool: master as never,
    tableName: 'session',
    pruneSessionInterval: 60 * 60,
    errorLog: () => undefined,
  });
}

/**
 * One session for HTTP and for the socket handshake: in Redis where there is one, else in Postgres. Nothing is stored
 * before somebody signs in.
 */
export function createSessionMiddleware(
  env: Env,
  secrets: SecretBox,
  dataSource: DataSource,
  redis: Redis | null,
): RequestHandler {
  const handler = session({
    name: sessionCookieName(env),
    secret: secrets.key('session').toString('base64url'),
    store:
      redis === null
        ? postgresStore(dataSource)
        : new RedisStore({ client: redis, prefix: 'tanya:session:', ttl: BROWSER_SESSION / 1000 }),
    resave: false,
    saveUninitialized: false,
    rolling: false,
    cookie: cookieAttributes(env),
  });
  if (!isSecure(env)) return handler;
  // TLS ends at the proxy: the cookie is secure by configuration, whatever this hop looks like or says of itself.
  return (request, response, next) => {
    Object.defineProperty(request, 'secure', { value: true, configurable: true });
    void handler(request, response, next);
  };
}
