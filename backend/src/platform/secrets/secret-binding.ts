import type { DataSource, EntityManager } from 'typeorm';
import type { Logger } from '../observability/logging.js';
import type { SecretBox } from './secret-box.js';
import { refuseUnbound, SEALED_COLUMNS, type SealedColumn, selectSealed, updateSealed } from './sealed-columns.js';

/** Advisory lock key: 'seal' in ASCII. */
const BINDING_LOCK = 0x7365616c;

const BATCH = 500;

/** A statement of the binding waits this long for others, such as a backup that reads the table; a later pass binds it. */
const LOCK_TIMEOUT_MS = 3_000;

interface SealedRow {
  row: number;
  sealed: string;
}

/**
 * Seals all stored secrets for their cells under the current secret: those of the first format, which is not bound to a
 * cell, and those under an earlier secret. A constraint of each column then refuses the first format, so that a value
 * from an old dump cannot be stored.
 */
export class SecretBinding {
  private timer: NodeJS.Timeout | undefined;
  private isBinding = false;

  /** @param retryMs time between passes while a column is not bound */
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretBox,
    private readonly logger: Logger,
    private readonly retryMs: number,
  ) {}

  /**
   * Binds the values, or begins to try again. Then this process opens the first format, also after a later pass: its
   * caches may hold such values.
   */
  async start(): Promise<void> {
    this.secrets.acceptsUnbound = true;
    if (await this.tryBind()) this.secrets.acceptsUnbound = false;
    else this.timer = setInterval(() => void this.retry(), this.retryMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
  }

  private async retry(): Promise<void> {
    if (this.isBinding) return;
    this.isBinding = true;
    if (await this.tryBind()) clearInterval(this.timer);
    this.isBinding = false;
  }

  /** @returns false when a column could not be changed */
  private async tryBind(): Promise<boolean> {
    try {
      await this.bind();
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'stored secrets not sealed again; retrying');
      return false;
    }
  }

  private bind(): Promise<void> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query('select pg_advisory_xact_lock($1)', [BINDING_LOCK]);
      const columns = await manager.query<SealedColumn[]>(SEALED_COLUMNS);
      let values = 0;
      for (const sealed of columns) {
        values += await this.dataSource.transaction((inner) => this.bindColumn(inner, sealed));
      }
      if (values > 0) this.logger.info({ values }, 'stored secrets sealed again');
    });
  }

  /** @returns the number of changed values */
  private async bindColumn(manager: EntityManager, sealed: SealedColumn): Promise<number> {
    await manager.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const select = `${selectSealed(sealed)} limit ${BATCH}`;
    const update = updateSealed(sealed);
    let values = 0;
    for (let last = 0, isLast = false; !isLast;) {
      const rows = await manager.query<SealedRow[]>(select, [this.secrets.currentPrefix, last]);
      const changed = rows
        .map((each) => ({ ...each, resealed: this.secrets.resealed(each.sealed, { ...sealed, row: each.row }) }))
        .filter((each) => each.resealed !== each.sealed);
      if (changed.length > 0) {
        await manager.query(
          ...update({
            rows: changed.map(({ row }) => row),
            sealed: changed.map((each) => each.sealed),
            resealed: changed.map(({ resealed }) => resealed),
          }),
        );
      }
      values += changed.length;
      last = rows.at(-1)?.row ?? last;
      isLast = rows.length < BATCH;
    }
    if (!sealed.isBound) await manager.query(refuseUnbound(sealed));
    return values;
  }
}
