import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { TIMINGS, type Timings } from '../config/timings.js';
import { statement } from '../platform/database/named-parameters.js';
import type { DataExportEntity } from './data-export.entity.js';

export type ExportRow = Omit<DataExportEntity, 'user' | 'heartbeatAt' | 'userId'>;

/** How long an archive can be downloaded. */
export const KEPT_HOURS = 24;

const COLUMNS = `id, state, progress, bytes, created_at as "createdAt", ended_at as "endedAt"`;

const KEPT = `coalesce(ended_at, created_at) > now() - interval '${KEPT_HOURS} hours'`;

const beatRun = statement<{ id: string; progress: number; bytes: number }>(`update data_export
  set heartbeat_at = now(), progress = :progress, bytes = :bytes where id = :id::uuid and state = 'running' returning id`);

const endRun = statement<{ id: string; state: 'done' | 'failed'; bytes: number }>(`update data_export
  set state = :state, bytes = :bytes, progress = case when :state = 'done' then 1 else progress end, ended_at = now()
  where id = :id::uuid and state = 'running' returning id`);

@Injectable()
export class ExportStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(TIMINGS) private readonly timings: Timings,
  ) {}

  /** A unique violation means that another export of the account runs. */
  async insert(id: string, userId: number): Promise<void> {
    await this.dataSource.query('insert into data_export (id, user_id) values ($1::uuid, $2)', [id, userId]);
  }

  async find(userId: number, id: string): Promise<ExportRow | null> {
    const rows = await this.dataSource.query<ExportRow[]>(
      `select ${COLUMNS} from data_export where id = $1::uuid and user_id = $2 and ${KEPT}`,
      [id, userId],
    );
    return rows[0] ?? null;
  }

  /** Those of the last day, the newest first. */
  list(userId: number): Promise<ExportRow[]> {
    return this.dataSource.query<ExportRow[]>(
      `select ${COLUMNS} from data_export where user_id = $1 and ${KEPT} order by created_at desc`,
      [userId],
    );
  }

  /** When the exports of the last day began that have not failed, the earliest first. */
  async counted(userId: number): Promise<Date[]> {
    const rows = await this.dataSource.query<{ createdAt: Date }[]>(
      `select created_at as "createdAt" from data_export
       where user_id = $1 and state <> 'failed' and created_at > now() - interval '1 day' order by created_at`,
      [userId],
    );
    return rows.map(({ createdAt }) => createdAt);
  }

  /** @returns false when the export does not run any more: its account was deleted, or another node has ended it */
  async beat(id: string, progress: number, bytes: number): Promise<boolean> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(...beatRun({ id, progress, bytes }));
    return rows.length > 0;
  }

  async end(id: string, state: 'done' | 'failed', bytes: number): Promise<boolean> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(...endRun({ id, state, bytes }));
    return rows.length > 0;
  }

  /** Ends the exports of dead nodes. They do not count for the limit of a day. */
  async failDead(): Promise<void> {
    await this.dataSource.query(
      `update data_export set state = 'failed', ended_at = now()
       where state = 'running' and heartbeat_at < now() - make_interval(secs => $1)`,
      [this.timings.nodeDead / 1000],
    );
  }

  /** Deletes the rows whose archives the sweep of files deletes. @returns their ids */
  async deleteOld(): Promise<string[]> {
    const [rows] = await this.dataSource.query<[{ id: string }[], number]>(
      `delete from data_export where state <> 'running' and not (${KEPT})
         and created_at < now() - interval '1 day' returning id`,
    );
    return rows.map(({ id }) => id);
  }
}
