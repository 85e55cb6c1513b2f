import { createHash } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { type Columns, KnownColumnsQuery, type PreparedStatement } from '../fast-paths/known-columns.js';
import type { SpanOptions, Tracing } from '../observability/tracing.js';
import type { PrimaryWatch, WatchedConnection } from './primary-watch.js';

type Callback = (error: Error | null, ...results: unknown[]) => void;

/** Message of pg for a statement that exceeds `query_timeout`. */
const READ_TIMEOUT = 'Query read timeout';

/** A prepared statement that Postgres has no more, as after `discard all`, or whose columns a migration changed. */
const LOST_STATEMENT: readonly (string | undefined)[] = ['26000', '0A000'];

/**
 * Comment at the start of a statement that is planned for its values at each execution. Postgres soon uses one generic
 * plan for a prepared statement, which is slow where the best plan depends on how many rows match.
 */
export const PLANNED_EACH_TIME = 'planned each time';

/**
 * Prepared statements of a connection at most: a running server has about 800, and those with lists have more forms. A
 * connection with so many gives up all of them, and prepares again what it runs.
 */
const CAPACITY = 500;

/** Names by text, so that a text is hashed once. */
const NAMES = new Map<string, string>();
const MOST_NAMES = 2 * CAPACITY;

/** The name of a prepared statement, the same on each connection; undefined for one that is planned at each execution. */
export function statementName(text: string): string | undefined {
  if (text.startsWith(`/* ${PLANNED_EACH_TIME}`)) return undefined;
  let name = NAMES.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    if (NAMES.size >= MOST_NAMES) NAMES.clear();
    NAMES.set(text, name);
  }
  return name;
}

interface ConnectionConfig extends pg.ClientConfig {
  primary?: PrimaryWatch | null;
  tracing?: Tracing;
}

const TRACED_LENGTH = 500;

/** Name and options of the span of a statement. Only text with parameters is exported, which holds no values. */
function spanOf(text: string, hasParameters: boolean): [string, SpanOptions] {
  const operation = /^[\s(]*(?:\/\*.*?\*\/\s*)?([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': hasParameters ? text.replaceAll(/\s+/g, ' ').trim().slice(0, TRACED_LENGTH) : undefined,
  };
  return [`postgres ${operation}`, { kind: 'client', attributes }];
}

/**
 * Connection that prepares statements with parameters by name: parsing and planning is most of the cost of a short
 * statement. Behind a transaction pooler nothing is prepared, as each transaction may run on another server connection.
 */
export class Connection extends pg.Client implements WatchedConnection {
  /** Connected to Postgres itself, not to a pooler. */
  private isDirect = false;
  private readonly primary: PrimaryWatch | null;
  private readonly tracing: Tracing | undefined;
  /** Names of the prepared statements. */
  private readonly prepared = new Set<string>();
  private readonly columns: Columns = new Map();

  constructor(config?: ConnectionConfig) {
    super(config);
    this.primary = config?.primary ?? null;
    this.tracing = config?.tracing;
    // For a moment between the pool and its borrower no listener is attached, and an unhandled error event would end
    // the process. The next query on a broken connection fails by itself.
    this.on('error', () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): unknown {
    const connected = this.open().then(async () => {
      try {
        await this.detectPooler();
        await this.primary?.verify(this);
      } catch (error) {
        // The pool drops a connection whose `connect` failed without closing it.
        void this.end().catch(() => undefined);
        throw error;
      }
      return this;
    });
    if (callback === undefined) return connected;
    connected.then(
      () => callback(null as unknown as Error),
      (error: Error) => callback(error),
    );
  }

  // pg overloads `query` a dozen times; only the first arguments matter here.
  override query = ((query: unknown, values?: unknown, callback?: Callback) => {
    const name =
      this.isDirect && typeof query === 'string' && Array.isArray(values) && values.length > 0 && statementName(query);
    if (name) this.makeRoomFor(name);
    const send = (): unknown => {
      const sent = (
        name && callback === undefined
          ? this.execute({ name, text: query, values })
          : super.query(
              (name ? { name, text: query } : query) as string,
              this.watched(values) as unknown[],
              this.watched(callback) as never,
            )
      ) as unknown;
      return sent instanceof Promise ? sent.catch((error: Error) => this.fail(error)) : sent;
    };
    if (!this.tracing?.isRecording || typeof query !== 'string' || callback !== undefined) return send();
    const hasParameters = Array.isArray(values) && values.length > 0;
    return this.tracing.span(...spanOf(query, hasParameters), async () => send());
  }) as pg.Client['query'];

  /** Fails the statements in flight and closes the socket. From then on the pool does not lend the connection. */
  destroy(reason: Error): void {
    const { connection } = this as unknown as { connection: EventEmitter & { stream: Socket } };
    connection.emit('error', reason);
    connection.stream.destroy();
  }

  /** Notes a statement as prepared, after all others are given up where they are too many. */
  private makeRoomFor(name: string): void {
    if (this.prepared.size >= CAPACITY && !this.prepared.has(name)) {
      const forget = (error: Error | null): void => {
        // In a transaction that has failed they stay.
        if (error !== null) return;
        this.prepared.clear();
        this.columns.clear();
        (this as unknown as { connection: { parsedStatements: object } }).connection.parsedStatements = {};
      };
      // pg calls back before it sends the next query.
      void super.query('deallocate all', this.watched(forget) as never);
    }
    this.prepared.add(name);
  }

  private execute(statement: PreparedStatement): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      super.query(
        new KnownColumnsQuery(statement, this.columns, (error, result) => (error ? reject(error) : resolve(result))),
      );
    });
  }

  /** A callback that first handles an error after which the connection is of no use; any other value as it is. */
  private watched(callback: unknown): unknown {
    if (typeof callback !== 'function') return callback;
    return (error: Error | null, ...results: unknown[]) => {
      if (error) this.dropAfter(error);
      (callback as Callback)(error, ...results);
    };
  }

  private fail(error: Error): never {
    this.dropAfter(error);
    // Leads back to the caller, as pg does it for its own queries.
    Error.captureStackTrace(error);
    throw error;
  }

  /**
   * Closes the connection after an error that leaves it of no use.
   * - A read timeout: pg only stops waiting. Postgres executes the statement further, and its transaction stays open,
   *   because a `rollback` behind the statement exceeds its timeout too. On a connection that returned to the pool, later
   *   statements would run in that transaction, and be lost with it.
   * - A lost statement: pg counts it as prepared, so that it would fail on this connection for ever.
   */
  private dropAfter(error: Error & { code?: string }): void {
    if (error.message === READ_TIMEOUT || LOST_STATEMENT.includes(error.code)) this.destroy(error);
  }

  private async open(): Promise<void> {
    await this.primary?.direct(this);
    await super.connect();
  }

  /** Compares the backend's process id: a pooler reports ids of its own. */
  private async detectPooler(): Promise<void> {
    const { rows } = await super.query<{ pid: number }>('select pg_backend_pid() as pid');
    this.isDirect = rows[0]?.pid === (this as unknown as { processID: number }).processID;
  }
}
