import { connect } from 'node:tls';
import { type Cluster, Command, Redis, type RedisOptions } from 'ioredis';
import type { Host } from '../../config/host-list.js';
import type { RedisClusterAddress } from '../../config/redis-url.js';
import { isTlsFailure } from '../errors/tls-failure.js';
import { COMMANDS, handleUnawaitedReplies, SUBSCRIPTIONS } from './redis-client.js';

const CONNECT_TIMEOUT_MS = 3_000;

/** Interval at which the node of a connection is compared with the map of the cluster, ms. */
const CHECK_INTERVAL_MS = 2_000;

export const slotOf = (key: string): number => new Command('get', [key]).getSlot();

/** `host:port` of the primary of a slot; undefined while the map does not have one. */
export const primaryOf = ({ slots }: Cluster, slot: number): string | undefined => slots[slot]?.[0];

export const nodeOptions = ({ username, password, tls }: RedisClusterAddress): RedisOptions => ({
  username: username ?? undefined,
  password: password ?? undefined,
  ...(tls ? { tls: {} } : {}),
  connectTimeout: CONNECT_TIMEOUT_MS,
});

/** The failures of TLS handshakes with the hosts, which the client of the cluster hides. */
export async function tlsFailuresOf(hosts: readonly Host[]): Promise<Error[]> {
  const failures = await Promise.all(hosts.map(handshake));
  return failures.filter(isTlsFailure);
}

/** @returns the error of the handshake; null without one, and when the host does not answer in time */
function handshake({ host, port }: Host): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS });
    const end = (error: unknown): void => {
      socket.destroy();
      resolve(error);
    };
    socket.once('secureConnect', () => end(null));
    socket.once('timeout', () => end(null));
    socket.on('error', end);
  });
}

export const nodeNameOf = ({ options: { host, port } }: Redis): string => `${host}:${port}`;

/**
 * Opens a connection to any node of the cluster, for subscriptions of channels that the cluster forwards to every node.
 * After a loss it opens the next one to another node. The client library would try dead nodes without a pause.
 * @param cluster its nodes are used
 */
export async function connectAnyNode(cluster: Cluster, address: RedisClusterAddress): Promise<Redis> {
  const anyNode = (): Host => {
    const nodes = cluster.nodes('master').map(({ options: { host = '', port = 0 } }) => ({ host, port }));
    const choice = nodes.length > 0 ? nodes : address.hosts;
    return choice[Math.floor(Math.random() * choice.length)]!;
  };
  const redis: Redis = new Redis({
    ...COMMANDS,
    ...SUBSCRIPTIONS,
    ...nodeOptions(address),
    ...anyNode(),
    lazyConnect: true,
    retryStrategy: (attempt) => {
      Object.assign(redis.options, anyNode());
      return COMMANDS.retryStrategy(attempt);
    },
  });
  handleUnawaitedReplies(redis);
  // The client of the cluster logs lost nodes.
  redis.on('error', () => undefined);
  // A node that hangs keeps the connection open, but the map of the cluster drops the node.
  const timer = setInterval(() => {
    const isNode = cluster.nodes().some((node) => nodeNameOf(node) === nodeNameOf(redis));
    if (!isNode && redis.status === 'ready') redis.disconnect(true);
  }, CHECK_INTERVAL_MS).unref();
  redis.once('end', () => clearInterval(timer));
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return redis;
}
