import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { postgresUrls } from '../../config/postgres-url.js';
import { isTlsFailure } from '../errors/tls-failure.js';
import type { Logger } from '../observability/logging.js';

/** Interval at which each server is asked for its role, ms. */
const PROBE_INTERVAL_MS = 1_000;

const PROBE_TIMEOUT_MS = 1_500;

/** Timeout of a connection that waits for a primary, ms; below the timeout of the pool's connections. */
const WAIT_TIMEOUT_MS = 2_500;
const WAIT_INTERVAL_MS = 50;

/** Role of a server. The timeline rises with each promotion; a standby has none. */
const ROLE = `
select pg_is_in_recovery() as standby,
  case when pg_is_in_recovery() then null
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`;

interface Role {
  standby: boolean;
  timeline: number | null;
}

interface Server {
  url: string;
  /** `host:port`. */
  name: string;
  host: string;
  port: number;
  /** Connection of the probes; null after a failure. */
  client: pg.Client | null;
  /** As of the last probe; null when it failed. */
  role: Role | null;
  failure: unknown;
}

/** A connection to the primary, as `Connection` implements it. */
export interface WatchedConnection {
  host: string;
  port: number;
  query(statement: string): Promise<{ rows: unknown[] }>;
  /** Closes the socket without a message to the server, which may hang. */
  destroy(reason: Error): void;
  once(event: 'end', listener: () => void): unknown;
}

/**
 * Finds the primary among several servers and directs connections to it: the driver connects to one host alone. After a
 * promotion the connections to the previous primary are closed. A primary of an older timeline than the last one seen
 * is refused: it was replaced, and its data lack what was committed since.
 */
export class PrimaryWatch {
  private readonly servers: Server[];
  private readonly connections = new Map<WatchedConnection, Server>();
  private current: Server | null = null;
  private timeline = 0;
  private readonly stopping = new AbortController();
  private readonly refused = new Set<string>();

  constructor(
    url: string,
    private readonly logger: Logger,
    private readonly probeTimeoutMs = PROBE_TIMEOUT_MS,
  ) {
    this.servers = postgresUrls(url).map((each) => {
      const { host, hostname, port } = new URL(each);
      const bare = hostname.replace(/^\[|\]$/g, '');
      return { url: each, name: host, host: bare, port: Number(port), client: null, role: null, failure: null };
    });
  }

  /**
   * Finds the primary for the start.
   * @returns its URL
   * @throws Error when no server is a primary, when two are, the reply of a server that refuses the login, or the TLS
   * failure when the handshake with every server failed
   */
  async find(): Promise<string> {
    await Promise.all(this.servers.map((server) => this.probe(server)));
    const timelineOf = ({ role }: Server): number => role?.timeline ?? 0;
    for (const server of this.servers.toSorted((a, b) => timelineOf(b) - timelineOf(a))) this.elect(server);
    const primaries = this.servers.filter(({ role }) => role?.timeline === this.timeline);
    if (primaries.length > 1) {
      const names = primaries.map(({ name }) => name).join(' and ');
      throw new Error(`DATABASE_URL lists two primaries, ${names}: they are different databases`);
    }
    if (this.current !== null) return this.current.url;
    const failures = this.servers.map(({ failure }) => failure);
    // Despite the TLS failure of one server, another one may become the primary.
    const final = failures.find(isReply) ?? (failures.every(isTlsFailure) ? failures[0] : null);
    if (final instanceof Error) throw final;
    throw new Error(`No primary (timeout expired): ${this.servers.map(stateOf).join(', ')}`);
  }

  /** Probes the servers until `stop`. */
  start(): void {
    for (const server of this.servers) void this.watch(server);
  }

  stop(): void {
    this.stopping.abort();
    for (const { client } of this.servers) void client?.end().catch(() => undefined);
  }

  /** Directs a connection that is about to open to the primary. */
  async direct(connection: WatchedConnection): Promise<void> {
    const primary = await this.primary();
    this.connections.set(connection, primary);
    connection.once('end', () => this.connections.delete(connection));
    connection.host = primary.host;
    connection.port = primary.port;
  }

  /** Verifies an open connection. @throws Error unless its server is still the primary */
  async verify(connection: WatchedConnection): Promise<void> {
    const role = (await connection.query(ROLE)).rows[0] as Role;
    const server = this.connections.get(connection);
    if (role.timeline !== null && role.timeline >= this.timeline && server === this.current) return;
    this.connections.delete(connection);
    throw new Error('Connection terminated: the server is not the primary');
  }

  private async primary(): Promise<Server> {
    for (const deadline = performance.now() + WAIT_TIMEOUT_MS; ; await sleep(WAIT_INTERVAL_MS)) {
      if (this.current !== null) return this.current;
      if (performance.now() > deadline || this.stopping.signal.aborted) {
        throw new Error(`No primary (timeout expired): ${this.servers.map(stateOf).join(', ')}`);
      }
    }
  }

  private async watch(server: Server): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await sleep(PROBE_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.probe(server);
      if (!signal.aborted) this.elect(server);
    }
  }

  private async probe(server: Server): Promise<void> {
    try {
      server.client ??= await this.open(server);
      const { rows } = await server.client.query<Role>(ROLE);
      server.role = rows[0]!;
      server.failure = null;
    } catch (error) {
      void server.client?.end().catch(() => undefined);
      server.client = null;
      server.role = null;
      server.failure = error;
    }
  }

  private async open({ url }: Server): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'tanya watch',
      connectionTimeoutMillis: this.probeTimeoutMs,
      query_timeout: this.probeTimeoutMs,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    return client;
  }

  /** Takes a probed server as the primary when it has been promoted, and drops one that has become a standby. */
  private elect(server: Server): void {
    const { role } = server;
    if (role === null) return;
    if (role.timeline === null) {
      if (server === this.current) this.follow(null);
      return;
    }
    if (role.timeline < this.timeline) {
      this.refuse(server, role.timeline);
      if (server === this.current) this.follow(null);
      return;
    }
    this.refused.delete(server.name);
    if (this.current === null || role.timeline > this.timeline) {
      this.timeline = role.timeline;
      this.follow(server);
    }
  }

  private follow(primary: Server | null): void {
    if (this.current === primary) return;
    const previous = this.current;
    this.current = primary;
    if (previous !== null) {
      this.logger.warn(
        { previous: previous.name, primary: primary?.name ?? null },
        'postgres primary replaced; its connections are closed',
      );
    }
    for (const [connection, server] of [...this.connections]) {
      if (server === primary) continue;
      this.connections.delete(connection);
      connection.destroy(new Error('Connection terminated: another server is the primary'));
    }
  }

  private refuse({ name }: Server, timeline: number): void {
    if (this.refused.has(name)) return;
    this.refused.add(name);
    this.logger.error(
      { server: name, timeline, seen: this.timeline },
      'postgres primary of an older timeline refused; make it a standby of its successor',
    );
  }
}

/** Whether a server refused for good, for example the password. */
const isReply = (failure: unknown): boolean => {
  const { code } = (failure ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(28|3D)/.test(code);
};

function stateOf({ name, role, failure }: Server): string {
  if (role !== null) return `${name} is a ${role.standby ? 'standby' : 'primary of an older timeline'}`;
  const { message, code } = failure as { message?: string; code?: string };
  return `${name}: ${message || code || 'no reply'}`;
}
