import { Cluster } from 'ioredis';
import type { RedisClusterAddress } from '../../config/redis-url.js';
import type { Logger } from '../observability/logging.js';
import { withTimeout } from '../resilience/with-timeout.js';
import { nodeOptions, tlsFailuresOf } from './cluster-nodes.js';
import { COMMANDS } from './redis-client.js';

/** Timeout of the first map of the cluster, ms; all listed nodes are asked one after the other. */
const OPEN_TIMEOUT_MS = 10_000;

/**
 * Interval at which the map of slots is read again, ms. A command that reaches the wrong node corrects the map too, but a
 * node that stopped responding, and a connection that only subscribes, do not.
 */
const MAP_INTERVAL_MS = 2_000;

/** Timeout of reading the map from one node, ms. */
const MAP_TIMEOUT_MS = 1_500;

/** After this many failed reads of the map from every node, the client starts again from the hosts of REDIS_URL. */
const FAILED_MAPS = 2;

/** Interval of log lines about one node, ms. */
const NODE_LOG_INTERVAL_MS = 60_000;

const SLOTS = 16_384;

/**
 * Opens a client of a cluster whose slots are all served. Later, commands of slots without a primary fail, and the others
 * go on. Commands follow a slot that moves, and retry for up to 1.6 s while its primary is replaced.
 */
export async function connectCluster(address: RedisClusterAddress, logger: Logger): Promise<Cluster> {
  const { commandTimeout, maxRetriesPerRequest } = COMMANDS;
  const cluster = new Cluster(address.hosts, {
    lazyConnect: true,
    enableOfflineQueue: false,
    // `requireAllSlots` replaces it and names the problem.
    enableReadyCheck: false,
    clusterRetryStrategy: COMMANDS.retryStrategy,
    slotsRefreshTimeout: MAP_TIMEOUT_MS,
    // The certificate of a node names its host, not its address.
    ...(address.tls ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
    redisOptions: { ...nodeOptions(address), commandTimeout, maxRetriesPerRequest },
  });
  const causeOf = watchCluster(cluster, logger);
  try {
    const opened = await withTimeout(
      OPEN_TIMEOUT_MS,
      cluster.connect().then(() => true),
    );
    if (!opened) throw new Error('timeout expired');
    await requireAllSlots(cluster);
    // The first command of a connection is queued while it opens, and others are refused.
    await Promise.allSettled(cluster.nodes('master').map((node) => node.ping()));
  } catch (error) {
    cluster.disconnect();
    const tlsFailures = address.tls ? await tlsFailuresOf(address.hosts) : [];
    const [tlsFailure] = tlsFailures;
    if (tlsFailure !== undefined && tlsFailures.length === address.hosts.length) throw tlsFailure;
    throw causeOf(error, tlsFailure ?? null);
  }
  refreshMap(cluster);
  return cluster;
}

/** @throws Error of an unavailable cluster when slots are not served */
async function requireAllSlots(cluster: Cluster): Promise<void> {
  const { state, served } = await clusterState(cluster);
  if (state !== 'ok' || served < SLOTS) {
    throw new Error(`Redis Cluster unavailable: state ${state}, ${served} of ${SLOTS} slots served`);
  }
}

export async function clusterState(cluster: Cluster): Promise<{ state: string; served: number }> {
  const info = await cluster.cluster('INFO');
  const field = (name: string) => new RegExp(`^${name}:(\\w+)`, 'm').exec(info)?.[1] ?? 'unknown';
  return { state: field('cluster_state'), served: Number(field('cluster_slots_ok')) || 0 };
}

/** Reads the map of slots at an interval until the client ends. */
function refreshMap(cluster: Cluster): void {
  let failures = 0;
  const timer = setInterval(() => {
    if (cluster.status !== 'ready') return;
    cluster.refreshSlotsCache((error) => {
      failures = error instanceof Error ? failures + 1 : 0;
      if (failures < FAILED_MAPS || cluster.status !== 'ready') return;
      failures = 0;
      cluster.disconnect(true);
    });
  }, MAP_INTERVAL_MS).unref();
  cluster.once('end', () => clearInterval(timer));
}

/**
 * Logs lost nodes and the loss of all of them.
 * @returns the cause of a failed start: the reply or the error of the last node that was asked. An outage names the TLS
 * failure of a node too.
 */
function watchCluster(cluster: Cluster, logger: Logger): (error: unknown, tlsFailure: Error | null) => unknown {
  let nodeError: Error | null = null;
  let isOpen = false;
  let isLost = false;
  const loggedAt = new Map<string, number>();
  // Without a listener an error event would end the process; `node error` names the cause.
  cluster.on('error', () => undefined);
  cluster.on('reconnecting', () => {
    if (isOpen && !isLost) logger.warn({ err: nodeError }, 'redis connection lost; reconnecting');
    isLost = true;
  });
  cluster.on('ready', () => {
    if (isOpen && isLost) logger.info('redis connection restored');
    isOpen = true;
    isLost = false;
  });
  cluster.on('node error', (error: Error, node: string) => {
    nodeError = error;
    const now = performance.now();
    if (!isOpen || now - (loggedAt.get(node) ?? -Infinity) < NODE_LOG_INTERVAL_MS) return;
    loggedAt.set(node, now);
    logger.warn({ err: error, node }, 'redis cluster node not reachable; its slots wait for a failover');
  });
  return (error, tlsFailure) => {
    const message = error instanceof Error ? error.message : String(error);
    const alsoTls = tlsFailure === null ? '' : `; TLS handshake with a node: ${tlsFailure.message}`;
    if (message.startsWith('Redis Cluster unavailable')) {
      return alsoTls === '' ? error : new Error(`${message}${alsoTls}`, { cause: error });
    }
    const reason = nodeError?.message ?? message;
    if (/cluster support disabled/.test(reason)) {
      return new Error('REDIS_URL has cluster=1, but the server is not a node of a cluster', { cause: nodeError });
    }
    // A reply of the server, such as a wrong password, is not an outage.
    if (/^(WRONGPASS|NOAUTH|NOPERM|ERR) /.test(reason)) return nodeError ?? error;
    return new Error(`Redis Cluster unavailable: ${reason}${alsoTls}`, { cause: nodeError ?? error });
  };
}
