import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as v from 'valibot';
import {
  adminPassword,
  appSecret,
  baseUrl,
  filesUrl,
  headerText,
  integer,
  issuer,
  logLevel,
  oidcClient,
  postgresUrl,
  publicUrl,
  redisUrl,
  replicaUrl,
  smtpFrom,
  textOr,
  trustProxy,
  url,
} from './env-values.js';
import { tracingEnv, tracingVariables } from './tracing-env.js';

export const ENV = Symbol('ENV');

/** The environment is invalid; the message lists every problem. */
export class EnvError extends Error {
  constructor(readonly problems: string[]) {
    super(
      `The environment has ${problems.length} problem(s):\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}

/** Facts about the whole environment that rules of single variables depend on. */
interface Deployment {
  isProduction: boolean;
  isShared: boolean;
  sendsMail: boolean;
  usesOidc: boolean;
}

/**
 * Schema of the variables. valibot loads in 25 ms and 3 MB per process; zod (90 ms, 15 MB), TypeBox (100 ms, 13 MB) and
 * envalid (40 ms, 8 MB, two packages) do the same for more. All are maintained, MIT and run on Node 20.
 */
const schemaOf = ({ isProduction, isShared, sendsMail, usesOidc }: Deployment) =>
  v.object({
    PORT: integer(3000, 0, 65_535),
    HOST: textOr(isProduction ? '0.0.0.0' : '127.0.0.1'),
    DATABASE_URL: postgresUrl,
    DATABASE_REPLICA_URL: replicaUrl(isProduction),
    DATABASE_POOL: integer(10, 2, 1000),
    REDIS_URL: redisUrl,
    FILES_URL: filesUrl,
    WEB_CONCURRENCY: v.pipe(
      integer(1, 1, 256),
      v.check((count) => count <= 1 || isShared, 'above 1 needs DATABASE_URL and REDIS_URL, which the processes share'),
    ),
    PUBLIC_URL: publicUrl(isProduction),
    APP_SECRET: appSecret(isProduction),
    DATA_DIR: textOr('.data'),
    TRUST_PROXY: trustProxy,
    ADMIN_USERNAME: textOr('admin'),
    ADMIN_PASSWORD: adminPassword(),
    OPENROUTER_API_KEY: headerText,
    OPENROUTER_BASE_URL: baseUrl,
    OPENAI_API_KEY: headerText,
    OPENAI_BASE_URL: baseUrl,
    SEARXNG_URL: baseUrl,
    METRICS_TOKEN: headerText,
    ...tracingVariables,
    SMTP_URL: url('smtp:', 'smtps:'),
    SMTP_FROM: smtpFrom(sendsMail),
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: oidcClient(usesOidc),
    OIDC_CLIENT_SECRET: oidcClient(usesOidc),
    OIDC_LABEL: textOr('single sign-on'),
    UPGRADE_URL: url('http:', 'https:'),
    GUEST_SIGNUP_URL: url('http:', 'https:'),
    PRO_APP_URL: url('http:', 'https:'),
    LOG_LEVEL: logLevel,
  });

type Schema = ReturnType<typeof schemaOf>;
type Name = keyof Schema['entries'];
type Source = Partial<Record<Name, string>>;

/** The only names that are read; `.env.example` lists exactly these. */
export const ENV_NAMES = Object.keys(
  schemaOf({ isProduction: false, isShared: false, sendsMail: false, usesOidc: false }).entries,
) as Name[];

/** Another reading of these would lose the stored keys, the password or the data of a server that runs with quotes. */
const VERBATIM: readonly Name[] = ['APP_SECRET', 'ADMIN_PASSWORD', 'DATA_DIR'];

/** A value without the quotes around it, which `docker run --env-file` keeps and Compose does not. */
function valueOf(source: Source, name: Name): string | null {
  const value = source[name]?.trim() ?? '';
  if (VERBATIM.includes(name)) return value || null;
  const [, , inner = value] = /^(["'])((?:(?!\1).)*)\1$/.exec(value) ?? [];
  return inner.trim() || null;
}

/**
 * Parses and validates the environment. A blank value counts as absent.
 * @throws EnvError with the first problem of each variable
 */
export function readEnv(source: Source): Env {
  const values = Object.fromEntries(ENV_NAMES.map((name) => [name, valueOf(source, name)]));
  const isProduction = values.DATABASE_URL !== null;
  const schema = schemaOf({
    isProduction,
    isShared: isProduction && values.REDIS_URL !== null,
    sendsMail: values.SMTP_URL !== null,
    usesOidc: values.OIDC_ISSUER !== null,
  });
  const { success, output, issues } = v.safeParse(schema, values, { abortPipeEarly: true });
  if (!success) throw new EnvError(issues.map((issue) => `${v.getDotPath(issue)} ${issue.message}`));
  return toEnv(output);
}

const toEnv = (values: v.InferOutput<Schema>) => ({
  port: values.PORT,
  /** 127.0.0.1 with the embedded Postgres, all addresses in production. */
  host: values.HOST,
  /** One server, or several of which one is the primary (`postgresUrls`). null starts the embedded Postgres. */
  databaseUrl: values.DATABASE_URL,
  /** A replica for long reads; null reads everything from the primary. */
  databaseReplicaUrl: values.DATABASE_REPLICA_URL,
  /** Connections of the pool at most. */
  databasePool: values.DATABASE_POOL,
  /**
   * One server, a cluster or Sentinels; `parseRedisUrl` accepts it. null keeps sessions, logs, limits and the bus in this
   * process or in Postgres.
   */
  redisUrl: values.REDIS_URL,
  /** `s3://bucket/prefix?…`; null stores files below dataDir. */
  filesUrl: values.FILES_URL,
  webConcurrency: values.WEB_CONCURRENCY,
  /** The current secret, or a list with earlier ones (`secretsIn`). null generates one and stores it in dataDir. */
  appSecret: values.APP_SECRET,
  dataDir: resolve(values.DATA_DIR),
  publicUrl: values.PUBLIC_URL,
  /** Number of proxies in front, or their networks; null trusts none. */
  trustProxy: values.TRUST_PROXY,
  admin: { username: values.ADMIN_USERNAME, password: values.ADMIN_PASSWORD },
  // A base URL without a key is allowed, for local servers.
  openrouter: { apiKey: values.OPENROUTER_API_KEY, baseUrl: values.OPENROUTER_BASE_URL },
  openai: { apiKey: values.OPENAI_API_KEY, baseUrl: values.OPENAI_BASE_URL },
  searxngUrl: values.SEARXNG_URL,
  metricsToken: values.METRICS_TOKEN,
  /** null traces nothing. */
  tracing: tracingEnv(values),
  /** null: no mail is sent. `from` is a mailbox such as `Tanya <tanya@example.org>`. */
  smtp: values.SMTP_URL === null ? null : { url: values.SMTP_URL, from: values.SMTP_FROM! },
  /** A provider of OpenID Connect that admins cannot change; null without one. */
  oidc:
    values.OIDC_ISSUER === null
      ? null
      : {
          issuer: values.OIDC_ISSUER,
          clientId: values.OIDC_CLIENT_ID!,
          clientSecret: values.OIDC_CLIENT_SECRET!,
          label: values.OIDC_LABEL,
        },
  links: {
    upgradeUrl: values.UPGRADE_URL,
    guestSignupUrl: values.GUEST_SIGNUP_URL,
    proAppUrl: values.PRO_APP_URL,
  },
  logLevel: values.LOG_LEVEL,
});

/** Settings of one deployment, parsed once at the start. */
export type Env = ReturnType<typeof toEnv>;

/** Environment of this process, over an `.env` file of the working directory. */
export function processEnv(): Source {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
