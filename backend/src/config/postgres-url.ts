import { HostListError, nameOfHost, parseHosts } from './host-list.js';

const POSTGRES_PORT = 5432;

const URL_PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)((?:[/?#].*)?)$/i;

/** An `@` in the path, or in what follows the hosts directly: the real hosts are behind it. */
const UNESCAPED_LOGIN = /^(?:\/[^?#]*@|[?#].*@)/;

/**
 * Splits DATABASE_URL into one URL for each of its servers: `postgres://user@a:5432,b:5432/tanya` has two. The URL of one
 * server stays as it is.
 * @throws HostListError
 */
export function postgresUrls(value: string): string[] {
  const parts = URL_PARTS.exec(value);
  const [, scheme = '', authority = '', rest = ''] = parts ?? [];
  const endOfLogin = authority.lastIndexOf('@') + 1;
  const [start, list] = [scheme + authority.slice(0, endOfLogin), authority.slice(endOfLogin)];
  if (UNESCAPED_LOGIN.test(rest)) {
    throw new HostListError(
      'has a user or password with a /, ? or # in it; write %2F, %3F or %23 (docker-compose.yml inserts POSTGRES_PASSWORD as it is)',
    );
  }
  if (parts === null || (!list.includes(',') && !URL.canParse(value))) {
    throw new HostListError('must be a URL that begins with postgres:// or postgresql://');
  }
  if (!list.includes(',')) return [value];
  const urls = parseHosts(list, POSTGRES_PORT).map((host) => `${start}${nameOfHost(host)}${rest}`);
  if (!URL.canParse(urls[0]!)) throw new HostListError('has an invalid user, password or database after its hosts');
  return urls;
}

/** Names the servers for the log and for errors, without credentials. */
export function describePostgres(value: string): string {
  return `Postgres at ${postgresUrls(value)
    .map((url) => new URL(url).host)
    .join(', ')}`;
}
