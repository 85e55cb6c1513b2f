import { type Host, HostListError, nameOfHost, parseHosts } from './host-list.js';

interface Access {
  hosts: Host[];
  username: string | null;
  password: string | null;
  /** `rediss://`: TLS to every server. */
  tls: boolean;
}

/** The nodes of a cluster that are asked first; they name the others. */
export interface RedisClusterAddress extends Access {
  kind: 'cluster';
}

/** The Sentinels; they name the primary. */
export interface RedisSentinelAddress extends Access {
  kind: 'sentinel';
  name: string;
  db: number;
  sentinelUsername: string | null;
  sentinelPassword: string | null;
}

/** The server or the servers that REDIS_URL names. The URL of a single server goes to the client library as it is. */
export type RedisAddress = { kind: 'server'; url: string } | RedisClusterAddress | RedisSentinelAddress;

const SERVER_PORT = 6379;
const SENTINEL_PORT = 26_379;

const URL_PARTS = /^(rediss?):\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^?#]*))?(?:\?([^#]*))?(?:#.*)?$/i;

const CLUSTER_PARAMETERS = ['cluster'];
const SENTINEL_PARAMETERS = ['sentinel', 'sentinelUsername', 'sentinelPassword'];

/**
 * Parses REDIS_URL: `redis://host:6379`, `redis://a:6379,b:6379?cluster=1` or `redis://a:26379,b:26379?sentinel=name`.
 * @throws HostListError
 */
export function parseRedisUrl(value: string): RedisAddress {
  const parts = URL_PARTS.exec(value);
  if (parts === null) throw new HostListError('must be a URL that begins with redis:// or rediss://');
  const [, scheme, credentials, hostList = '', path = '', query = ''] = parts;
  const parameters = new URLSearchParams(query);
  const isCluster = parameters.has('cluster');
  const isSentinel = parameters.has('sentinel');
  if (!isCluster && !isSentinel) {
    if (hostList.includes(',')) {
      throw new HostListError('lists several hosts: append ?cluster=1 for a cluster or ?sentinel=NAME for Sentinels');
    }
    if (!URL.canParse(value)) throw new HostListError('must be a URL that begins with redis:// or rediss://');
    // The client library would connect to localhost, or fail later without the name of the variable.
    if (!parameters.has('path')) parseHosts(hostList, SERVER_PORT);
    requireDatabase(path);
    credentialsIn(credentials ?? '');
    return { kind: 'server', url: value };
  }
  if (isCluster && isSentinel) throw new HostListError('has both cluster and sentinel: a server is in one of the two');
  const [username, password] = credentialsIn(credentials ?? '');
  const hosts = parseHosts(hostList, isCluster ? SERVER_PORT : SENTINEL_PORT);
  const access = { hosts, username, password, tls: scheme?.toLowerCase() === 'rediss' };
  requireKnown(parameters, isCluster ? CLUSTER_PARAMETERS : SENTINEL_PARAMETERS);
  return isCluster ? clusterAt(access, path, parameters) : sentinelsAt(access, path, parameters);
}

/** Names the servers for the log and for errors, without credentials. */
export function describeRedis(address: RedisAddress): string {
  if (address.kind === 'server') return `Redis at ${new URL(address.url).host}`;
  const hosts = address.hosts.map(nameOfHost).join(', ');
  return address.kind === 'cluster'
    ? `Redis Cluster at ${hosts}`
    : `Redis ${address.name} of the Sentinels at ${hosts}`;
}

function clusterAt(access: Access, path: string, parameters: URLSearchParams): RedisClusterAddress {
  if (parameters.get('cluster') !== '1')
    throw new HostListError('has an unknown value of cluster: only cluster=1 exists');
  if (path !== '' && path !== '0') throw new HostListError('names a database, and a cluster has database 0 alone');
  return { kind: 'cluster', ...access };
}

function sentinelsAt(access: Access, path: string, parameters: URLSearchParams): RedisSentinelAddress {
  const name = parameters.get('sentinel')!;
  if (name === '') throw new HostListError('needs the name of the primary: ?sentinel=NAME');
  requireDatabase(path);
  return {
    kind: 'sentinel',
    ...access,
    name,
    db: Number(path),
    sentinelUsername: parameters.get('sentinelUsername'),
    sentinelPassword: parameters.get('sentinelPassword'),
  };
}

function requireDatabase(path: string): void {
  if (!/^\d{0,5}$/.test(path)) throw new HostListError(`has no database number after the hosts: ${path}`);
}

/** A mistyped parameter would silently change what the hosts are. */
function requireKnown(parameters: URLSearchParams, known: string[]): void {
  for (const name of parameters.keys()) {
    if (!known.includes(name)) throw new HostListError(`has the unknown parameter ${name}; known: ${known.join(', ')}`);
    if (parameters.getAll(name).length > 1) throw new HostListError(`has the parameter ${name} twice`);
  }
}

function credentialsIn(text: string): [username: string | null, password: string | null] {
  const colon = text.indexOf(':');
  const [username, password] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  try {
    return [decodeURIComponent(username) || null, decodeURIComponent(password) || null];
  } catch {
    throw new HostListError('has an invalid percent-encoding in its user name or password');
  }
}
