import { isIP } from 'node:net';
import { LIMITS } from '@tanya/contract';
import * as v from 'valibot';
import { SECRET_LENGTH, secretsIn } from './app-secret.js';
import { postgresUrls } from './postgres-url.js';
import { isIssuer } from './issuer.js';
import { parseRedisUrl } from './redis-url.js';

/** Secrets that appear in examples and tutorials. */
const KNOWN_SECRETS = /change.?me|secret.?key|example|your.?secret|password|^(.)\1+$|0123456789abcdef/i;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

const REQUIRED = 'is required with DATABASE_URL';

const HOPS = /^\d{1,2}$/;

/** Text that may be absent. Messages of all schemas here continue the variable's name. */
export const text = v.nullable(v.string());

/** A key or token that stands in a header, which takes no other characters. */
export const headerText = v.nullable(
  v.pipe(v.string(), v.regex(/^[\x20-\x7e]+$/, 'must be printable ASCII, as it stands in a header')),
);

export const textOr = (fallback: string) => v.nullable(v.string(), fallback);

export const integer = (fallback: number, min: number, max: number) =>
  v.nullable(
    v.pipe(
      v.string(),
      v.check(
        // `Number` reads 0x10 and 1e3 too.
        (value) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max,
        `must be a whole number from ${min} to ${max}`,
      ),
      v.transform(Number),
    ),
    String(fallback),
  );

export function url(...protocols: string[]) {
  const beginnings = protocols.map((protocol) => `${protocol}//`).join(' or ');
  const fits = (value: string) => URL.canParse(value) && protocols.includes(new URL(value).protocol);
  return v.nullable(v.pipe(v.string(), v.check(fits, `must be a URL that begins with ${beginnings}`)));
}

/** An address to which paths are appended. Requests take none with credentials. */
export const baseUrl = v.pipe(
  url('http:', 'https:'),
  v.check((value) => {
    if (value === null) return true;
    const { username, password, search, hash } = new URL(value);
    return username + password + search + hash === '';
  }, 'must be an address without credentials, a query or a fragment'),
);

export const filesUrl = v.pipe(
  url('s3:'),
  v.check((value) => value === null || new URL(value).hostname !== '', 'must name a bucket, such as s3://tanya-files'),
  v.check((value) => {
    const endpoint = value === null ? null : new URL(value).searchParams.get('endpoint');
    return endpoint === null || (URL.canParse(endpoint) && ['http:', 'https:'].includes(new URL(endpoint).protocol));
  }, 'must have an endpoint that begins with http:// or https://'),
);

/** A URL that one of the parsers for lists of servers accepts; its error says why not. */
const serversUrl = (parse: (value: string) => unknown) => {
  const problemOf = (value: string): string | null => {
    try {
      parse(value);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  return v.nullable(
    v.pipe(
      v.string(),
      v.check(
        (value) => problemOf(value) === null,
        ({ input }) => problemOf(input)!,
      ),
    ),
  );
};

/** One server, the nodes of a cluster, or Sentinels. */
export const redisUrl = serversUrl(parseRedisUrl);

export const postgresUrl = serversUrl(postgresUrls);

export const replicaUrl = (isProduction: boolean) =>
  v.pipe(
    postgresUrl,
    v.check((value) => value === null || postgresUrls(value).length === 1, 'must name one server'),
    v.check((value) => value === null || isProduction, 'needs DATABASE_URL'),
  );

export const publicUrl = (isRequired: boolean) =>
  v.pipe(
    url('http:', 'https:'),
    v.check((value) => value !== null || !isRequired, REQUIRED),
    v.transform((value) => (value === null ? null : new URL(value))),
    // Links would lose a path, and show credentials.
    v.check(
      (value) => value === null || value.href === `${value.origin}/`,
      'must be an address alone, such as https://chat.example.org, without a path or credentials',
    ),
  );

/** The current secret, or a list with earlier ones. Cookies under an earlier one are accepted, so the rules hold for all. */
export const appSecret = (isRequired: boolean) =>
  v.pipe(
    v.nullable(
      v.pipe(
        v.string(),
        v.check(
          (value) => secretsIn(value).every((secret) => secret.length >= SECRET_LENGTH),
          `must have ${SECRET_LENGTH} characters or more`,
        ),
        v.check(
          (value) => !secretsIn(value).some((secret) => KNOWN_SECRETS.test(secret)),
          'is a known example; make one of your own',
        ),
      ),
    ),
    v.check((secret) => secret !== null || !isRequired, `${REQUIRED} (${SECRET_LENGTH} characters or more)`),
  );

export function adminPassword() {
  const { min, max } = LIMITS.password;
  const fits = (password: string) => password.length >= min && password.length <= max;
  return v.nullable(v.pipe(v.string(), v.check(fits, `must have ${min} to ${max} characters`)));
}

/** Mailbox with or without a display name; a line break would end the header. */
const MAILBOX = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

export const smtpFrom = (isRequired: boolean) =>
  v.pipe(
    v.nullable(
      v.pipe(
        v.string(),
        v.check((from) => MAILBOX.test(from), 'must be an address such as Tanya <tanya@example.org>'),
      ),
    ),
    v.check((from) => from !== null || !isRequired, 'is required with SMTP_URL'),
  );

export const logLevel = v.nullable(v.picklist(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`), 'info');

/** Number of proxies, or list of their networks. 0 is no proxy, as without the variable. */
export const trustProxy = v.nullable(
  v.pipe(
    v.string(),
    v.check(
      (value) => HOPS.test(value) || networksIn(value).every(isNetwork),
      'must be a number of proxies or a list of networks such as 10.0.0.0/8,fd00::/8',
    ),
    v.transform((value) => (HOPS.test(value) ? Number(value) || null : networksIn(value))),
  ),
);

function networksIn(list: string): string[] {
  return list.split(',').map((network) => network.trim());
}

function isNetwork(value: string): boolean {
  const [address = '', bits] = value.split('/');
  const family = isIP(address);
  if (family === 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(value);
  // proxy-addr refuses /0, which would trust everybody.
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

/** An issuer of OpenID Connect. Plain http would hand its tokens to everybody on the way. */
export const issuer = v.nullable(
  v.pipe(
    v.string(),
    v.check(isIssuer, 'must be an address that begins with https://, or with http:// on this machine, without a query'),
  ),
);

export const oidcClient = (isRequired: boolean) =>
  v.pipe(
    text,
    v.check((value) => value !== null || !isRequired, 'is required with OIDC_ISSUER'),
  );
