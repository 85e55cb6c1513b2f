import { RedisStore } from 'connect-redis';
import pgSimple from 'connect-pg-simple';
import type { RequestHandler } from 'express';
import session from 'express-session';
import type { DataSource } from 'typeorm';
import type { Env } from '../../config/env.js';
import type { RedisClient } from '../redis/redis-client.js';
import type { SecretBox } from '../secrets/secret-box.js';

declare module 'express-session' {
  interface SessionData {
    userId: number;
    /** The account's session epoch at login; a session of an older epoch is invalid. */
    epoch: number;
    /** Absolute end, ms since 1970. */
    endsAt: number;
    /** Absent where an earlier version began the session. */
    start?: SessionStart;
    /** How it began; absent where an earlier version began it, which knew passwords alone. */
    way?: SignInWay;
    /**
     * When its person last signed in with a passkey, or at a provider that asked them to, ms since 1970. Absent after a
     * login with a password.
     */
    authenticatedAt?: number;
    /** Whether its sign-in stands for a second factor too, as that of a passkey does. */
    isTwoFactor?: boolean;
    passkeyId?: number;
    oidc?: OidcSession;
  }
}

/** Where a session began at an identity provider. */
export interface OidcSession {
  providerId: number;
  identityId: number;
  /** The session there; '' from a provider that names none. */
  sid: string;
}

export type SignInWay = 'password' | 'passkey' | 'oidc';

/** How long a sign-in stands for the password where a change of the account demands it, ms. */
const REAUTHENTICATION = 5 * 60 * 1000;

/** Whether the person of a session signed in so lately that a change of the account needs no password. */
export const isFreshlyAuthenticated = ({
  authenticatedAt = 0,
}: Pick<session.SessionData, 'authenticatedAt'>): boolean => Date.now() - authenticatedAt < REAUTHENTICATION;

/** What an account's owner recognises a session by. */
export interface SessionStart {
  /** ms since 1970. */
  at: number;
  address: string;
  /** What the browser says that it is, cut. */
  userAgent: string;
}

const DAY = 24 * 60 * 60 * 1000;

/** Lifetime with "Remember me", ms; both idle timeout and absolute end. */
export const REMEMBERED_SESSION = 30 * DAY;

/** Prefix of the keys of sessions in Redis, before their id. */
export const REDIS_SESSIONS = 'tanya:session:';

/** Idle timeout without "Remember me", ms. The cookie ends with the browser. */
export const BROWSER_SESSION = DAY;

const isSecure = (env: Env) => env.publicUrl?.protocol === 'https:';

/** The name of a cookie. Browsers accept the prefix from this host alone, so that no sibling domain can set the cookie. */
export const cookieName = (env: Env, name: string): string => (isSecure(env) ? `__Host-${name}` : name);

export const sessionCookieName = (env: Env): string => cookieName(env, 'tanya.sid');

export const guestCookieName = (env: Env): string => cookieName(env, 'tanya.guest');

export const cookieAttributes = (env: Env) => ({
  path: '/',
  httpOnly: true,
  secure: isSecure(env),
  sameSite: 'lax' as const,
});

/** Session store on TypeORM's pool; by default it would open a second pool. */
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
 * Session middleware for HTTP and the socket handshake. Sessions are stored in Redis, without Redis in Postgres, and
 * only from the login on.
 */
export function createSessionMiddleware(
  env: Env,
  secrets: SecretBox,
  dataSource: DataSource,
  redis: RedisClient | null,
): RequestHandler {
  const handler = session({
    name: sessionCookieName(env),
    // The first signs; cookies under the others are valid.
    secret: secrets.keys('session').map((key) => key.toString('base64url')),
    store:
      redis === null
        ? postgresStore(dataSource)
        : new RedisStore({ client: redis, prefix: REDIS_SESSIONS, ttl: BROWSER_SESSION / 1000 }),
    resave: false,
    saveUninitialized: false,
    rolling: false,
    cookie: cookieAttributes(env),
  });
  if (!isSecure(env)) return handler;
  // TLS ends at the proxy: PUBLIC_URL decides that the cookie is secure, not this hop or its headers.
  return (request, response, next) => {
    Object.defineProperty(request, 'secure', { value: true, configurable: true });
    void handler(request, response, next);
  };
}
