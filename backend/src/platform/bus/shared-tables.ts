import type { RunStatement } from '../database/statements.js';
import type { Logger } from '../observability/logging.js';
import type { BackgroundWork } from '../resilience/background-work.js';
import { readBack } from '../resilience/storage-retries.js';
import { type Bus, topic } from './bus.js';

/** Interval at which tables are compared. A change whose message was lost takes effect after this at the latest. */
const POLL_MS = 30_000;

const tableChanged = topic<{ table: string }>('table:changed');

/** A table of Postgres that is shared, without the columns that say what happened, such as the last failure of a connection. */
export interface SharedRows {
  table: string;
  without?: readonly string[];
}

type Listener = () => void | Promise<void>;

/** An SQL expression that differs once a row has changed. Constants of the code make it up. */
const versionOf = ({ table, without = [] }: SharedRows): string =>
  `(select coalesce(sum(hashtextextended((to_jsonb(r) - '{${without.join()}}'::text[])::text, 0)), 0)::text from ${table} r)`;

/** Rows that every node keeps in memory: read once at the start, and again after a change on any node. */
export class SharedTable<T> {
  private current: { value: T; version: string } | undefined;
  private last: Promise<void> = Promise.resolve();
  private readonly listeners: Listener[] = [];

  constructor(
    private readonly tables: SharedTables,
    readonly rows: readonly SharedRows[],
    private readonly read: () => Promise<T>,
  ) {}

  /** The rows as read last. @throws Error before the first `load` */
  get value(): T {
    if (this.current === undefined) throw new Error('shared table read before its first load');
    return this.current.value;
  }

  get version(): string | undefined {
    return this.current?.version;
  }

  /** Calls `listener` after each load of other rows than before, on every node. Nobody waits for what it does. */
  onChanged(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Tells the listeners of a change of what is made of the rows. */
  callListeners(): void {
    for (const listener of this.listeners) this.tables.callSafely(listener);
  }

  /** Reads rows that differ. Loads run one after the other, so that an older result never replaces a newer one. */
  load(): Promise<void> {
    const next = this.last.then(() => this.readOthers());
    this.last = next.catch(() => undefined);
    return next;
  }

  /** Brings a committed change into effect, see `SharedTables.announce`. */
  announce(): Promise<void> {
    return this.tables.announce(this.rows[0]!.table);
  }

  private async readOthers(): Promise<void> {
    // Before the rows: a change in between is read again.
    const [version] = await this.tables.versions([this]);
    if (version === this.version) return;
    const isFirst = this.current === undefined;
    this.current = { value: await this.read(), version: version! };
    if (!isFirst) this.callListeners();
  }
}

/** All shared tables of this node: one statement finds those that have changed. */
export class SharedTables {
  private readonly all: SharedTable<unknown>[] = [];
  private ahead = 0;

  constructor(
    private readonly bus: Bus,
    private readonly run: RunStatement,
    private readonly logger: Logger,
    background: BackgroundWork,
  ) {
    bus.subscribe(tableChanged, ({ table }) => this.reload(table));
    background.repeat('comparison of shared tables', POLL_MS, () => this.compare());
  }

  /** How far the clock of this node is ahead of that of Postgres, ms, as of the last comparison. */
  get clockAhead(): number {
    return this.ahead;
  }

  /** Keeps in memory what `read` makes of the rows. The caller loads it for the first time. */
  share<T>(rows: readonly SharedRows[], read: () => Promise<T>): SharedTable<T> {
    const table = new SharedTable(this, rows, read);
    this.all.push(table);
    return table;
  }

  /**
   * Brings a committed change of a table into effect, on all nodes at the same time: a page that hears of it from one may read
   * from another. Never rejects: the change is stored, and a node that cannot read it finds it in the next comparison.
   */
  async announce(table: string): Promise<void> {
    const reloaded = readBack(() => this.reload(table));
    await Promise.all([this.bus.publish(tableChanged, { table }), this.servingCached(reloaded)]);
  }

  /** What tables are now, to be compared with what they were. One statement. */
  async versions(tables: readonly SharedTable<unknown>[]): Promise<string[]> {
    const columns = tables.map(({ rows }) => rows.map(versionOf).join(` || ' ' || `));
    const [row] = await this.run<{ now: Date; versions: string[] }>(
      `select clock_timestamp() as now, array[${columns.join(', ')}]::text[] as versions`,
      [],
    );
    this.ahead = Date.now() - row!.now.getTime();
    return row!.versions;
  }

  callSafely(listener: Listener): void {
    void (async () => listener())().catch((error: unknown) =>
      this.logger.error({ err: error }, 'listener to a shared table failed'),
    );
  }

  private async reload(table: string): Promise<void> {
    for (const shared of this.all) if (shared.rows.some((rows) => rows.table === table)) await shared.load();
  }

  private servingCached(reloaded: Promise<void>): Promise<void> {
    return reloaded.catch((err: unknown) =>
      this.logger.warn({ err }, 'shared table reload failed; serving cached rows'),
    );
  }

  private async compare(): Promise<void> {
    const loaded = this.all.filter(({ version }) => version !== undefined);
    const versions = await this.versions(loaded);
    for (const [index, table] of loaded.entries()) {
      if (table.version === versions[index]) continue;
      await this.servingCached(table.load());
    }
  }
}
