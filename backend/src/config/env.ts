import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { LIMITS } from '@tanya/contract';

/** Where one model provider is reached; a base URL without a key is allowed (local servers). */
export interface ProviderAccess {
  apiKey: string | null;
  baseUrl: string | null;
}

/** What differs by deployment, parsed once. */
export interface Env {
  port: number;
  /** 127.0.0.1 while the database is embedded, all addresses in production. */
  host: string;
  /** null: Postgres is embedded and everything else in process. */
  databaseUrl: string | null;
  databasePool: number;
  redisUrl: string | null;
  /** `s3://bucket/prefix?…`; null keeps files under dataDir. */
  filesUrl: string | null;
  webConcurrency: number;
  /** null: one is made and kept in dataDir. */
  appSecret: string | null;
  /** Absolute. */
  dataDir: string;
  publicUrl: URL | null;
  /** Number of proxies in front, or their networks; null trusts none. */
  trustProxy: number | string[] | null;
  admin: { username: string; password: string | null };
  openrouter: ProviderAccess;
  openai: ProviderAccess;
  metricsToken: string | null;
  links: { upgradeUrl: string | null; guestSignupUrl: string | null; proAppUrl: string | null };
  logLevel: string;
}

export const ENV = Symbol('ENV');

/** Every problem of the environment at once. */
export class EnvError extends Error {
  constructor(readonly problems: string[]) {
    super(
      `The environment has ${problems.length} problem(s):\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
  }
}

/** The only names that are read; `.env.example` lists exactly these. */
export const ENV_NAMES = [
  'PORT',
  'HOST',
  'DATABASE_URL',
  'DATABASE_POOL',
  'REDIS_URL',
  'FILES_URL',
  'WEB_CONCURRENCY',
  'APP_SECRET',
  'DATA_DIR',
  'PUBLIC_URL',
  'TRUST_PROXY',
  'ADMIN_USERNAME',
  'ADMIN_PASSWORD',
  'OPENROUTER_API_KEY',
  'OPENROUTER_BASE_URL',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'METRICS_TOKEN',
  'UPGRADE_URL',
  'GUEST_SIGNUP_URL',
  'PRO_APP_URL',
  'LOG_LEVEL',
] as const;

type Source = Partial<Record<(typeof ENV_NAMES)[number], string>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Secrets that stand in examples and tutorials, so everybody knows them. */
const KNOWN_SECRETS = /change.?me|secret.?key|example|your.?secret|password|^(.)\1+$|0123456789abcdef/i;

const SECRET_LENGTH = 32;

class Reader {
  readonly problems: string[] = [];

  constructor(private readonly source: Source) {}

  text(name: keyof Source): string | null {
    return this.source[name]?.trim() || null;
  }

  integer(name: keyof Source, fallback: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === null) return fallback;
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    this.problems.push(`${name} must be a whole number from ${min} to ${max}`);
    return fallback;
  }

  url(name: keyof Source, protocols: string[]): string | null {
    const text = this.text(name);
    if (text === null) return null;
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
    this.problems.push(`${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return null;
  }

  trustProxy(): number | string[] | null {
    const text = this.text('TRUST_PROXY');
    if (text === null) return null;
    if (/^\d{1,2}$/.test(text)) return Number(text);
    const networks = text.split(',').map((network) => network.trim());
    if (networks.every((network) => isNetwork(network))) return networks;
    this.problems.push('TRUST_PROXY must be a number of proxies or a list of networks such as 10.0.0.0/8,fd00::/8');
    return null;
  }

  logLevel(): string {
    const level = this.text('LOG_LEVEL') ?? 'info';
    if (LOG_LEVELS.includes(level)) return level;
    this.problems.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`);
    return 'info';
  }

  secret(production: boolean): string | null {
    const secret = this.text('APP_SECRET');
    if (secret === null) {
      if (production)
        this.problems.push(`APP_SECRET is required with DATABASE_URL (${SECRET_LENGTH} characters or more)`);
      return null;
    }
    if (secret.length < SECRET_LENGTH) this.problems.push(`APP_SECRET must have ${SECRET_LENGTH} characters or more`);
    else if (KNOWN_SECRETS.test(secret)) this.problems.push('APP_SECRET is a known example; make one of your own');
    return secret;
  }

  adminPassword(): string | null {
    const password = this.text('ADMIN_PASSWORD');
    const { min, max } = LIMITS.password;
    if (password !== null && (password.length < min || password.length > max)) {
      this.problems.push(`ADMIN_PASSWORD must have ${min} to ${max} characters`);
    }
    return password;
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  if (family === 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(text);
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/**
 * Reads and checks the environment.
 * @throws EnvError with everything that is wrong with it.
 */
export function readEnv(source: Source): Env {
  const reader = new Reader(source);
  const databaseUrl = reader.url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const production = Boolean(source.DATABASE_URL?.trim());
  const publicUrl = reader.url('PUBLIC_URL', ['http:', 'https:']);
  if (production && !reader.text('PUBLIC_URL')) reader.problems.push('PUBLIC_URL is required with DATABASE_URL');
  const webConcurrency = reader.integer('WEB_CONCURRENCY', 1, 1, 256);
  if (webConcurrency > 1 && !(production && reader.text('REDIS_URL'))) {
    reader.problems.push('WEB_CONCURRENCY above 1 needs DATABASE_URL and REDIS_URL, which the processes share');
  }
  const http = ['http:', 'https:'];
  const env: Env = {
    port: reader.integer('PORT', 3000, 0, 65_535),
    host: reader.text('HOST') ?? (production ? '0.0.0.0' : '127.0.0.1'),
    databaseUrl,
    databasePool: reader.integer('DATABASE_POOL', 10, 2, 1000),
    redisUrl: reader.url('REDIS_URL', ['redis:', 'rediss:']),
    filesUrl: reader.url('FILES_URL', ['s3:']),
    webConcurrency,
    appSecret: reader.secret(production),
    dataDir: resolve(reader.text('DATA_DIR') ?? '.data'),
    publicUrl: publicUrl === null ? null : new URL(publicUrl),
    trustProxy: reader.trustProxy(),
    admin: { username: reader.text('ADMIN_USERNAME') ?? 'admin', password: reader.adminPassword() },
    openrouter: { apiKey: reader.text('OPENROUTER_API_KEY'), baseUrl: reader.url('OPENROUTER_BASE_URL', http) },
    openai: { apiKey: reader.text('OPENAI_API_KEY'), baseUrl: reader.url('OPENAI_BASE_URL', http) },
    metricsToken: reader.text('METRICS_TOKEN'),
    links: {
      upgradeUrl: reader.url('UPGRADE_URL', http),
      guestSignupUrl: reader.url('GUEST_SIGNUP_URL', http),
      proAppUrl: reader.url('PRO_APP_URL', http),
    },
    logLevel: reader.logLevel(),
  };
  if (reader.problems.length > 0) throw new EnvError(reader.problems);
  return env;
}

/** The process's own environment, with an `.env` file of the working directory beneath it. */
export function processEnv(): Source {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
