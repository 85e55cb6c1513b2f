import type { SharedMessage } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { isUsableAccount } from '../users/user-sql.js';
import { ShareEntity } from './share.entity.js';

/** A snapshot that may be shown. */
export interface Snapshot {
  id: string;
  title: string;
  createdAt: Date;
  /** JSON of a list of `SharedMessage`. */
  messages: string;
}

/** A row of an owner's list. */
export type OwnShareRow = Pick<ShareEntity, 'token' | 'title' | 'messageCount' | 'createdAt' | 'expiresAt'>;

/** Condition on a row of `share`: the link is valid. */
const IS_VALID = `(expires_at is null or expires_at > now()) and ${isUsableAccount('share.user_id')}`;

const LIST_COLUMNS = `token, title, message_count as "messageCount", created_at as "createdAt", expires_at as "expiresAt"`;

/** Expired snapshots that one statement deletes. */
export const EXPIRED_BATCH = 50;

/** Reads and writes share links. */
@Injectable()
export class ShareStore {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** @returns null for an unknown token, an expired link, and a link of an account that may not be used */
  async findValid(token: string): Promise<Snapshot | null> {
    const rows = await this.dataSource.query<Snapshot[]>(
      `select id, title, created_at as "createdAt", messages from share where token = $1 and ${IS_VALID}`,
      [token],
    );
    return rows[0] ?? null;
  }

  /** The id of a valid link's snapshot, without its messages. */
  async findValidId(token: string): Promise<string | null> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `select id from share where token = $1 and ${IS_VALID}`,
      [token],
    );
    return rows[0]?.id ?? null;
  }

  /** Unexpired links of an account, newest first. */
  list(userId: number): Promise<OwnShareRow[]> {
    return this.dataSource.query<OwnShareRow[]>(
      `select ${LIST_COLUMNS} from share where user_id = $1 and (expires_at is null or expires_at > now())
       order by created_at desc, id`,
      [userId],
    );
  }

  async insert(
    manager: EntityManager,
    share: Pick<ShareEntity, 'id' | 'token' | 'userId' | 'title' | 'expiresAt'>,
    messages: readonly SharedMessage[],
  ): Promise<OwnShareRow> {
    const { id, token, userId, title, expiresAt } = share;
    const values = [id, token, userId, title, JSON.stringify(messages), messages.length, expiresAt];
    const [row] = await manager.query<[OwnShareRow]>(
      `insert into share (id, token, user_id, title, messages, message_count, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7) returning ${LIST_COLUMNS}`,
      values,
    );
    return row;
  }

  /** The id of an account's own link, valid or not. */
  async findOwn(userId: number, token: string): Promise<string | null> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      'select id from share where user_id = $1 and token = $2',
      [userId, token],
    );
    return rows[0]?.id ?? null;
  }

  async expired(): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `select id from share where expires_at < now() order by expires_at limit ${EXPIRED_BATCH}`,
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes snapshots, and the rows of their files by cascade. @returns their number */
  async delete(ids: readonly string[]): Promise<number> {
    const [, count] = await this.dataSource.query<[unknown, number]>('delete from share where id = any($1::uuid[])', [
      ids,
    ]);
    return count;
  }

  /** Numbers of valid links and of the accounts that created them. */
  async totals(): Promise<{ links: number; accounts: number }> {
    const [totals] = await this.dataSource.query<[{ links: number; accounts: number }]>(
      `select count(*)::int as links, count(distinct user_id)::int as accounts from share where ${IS_VALID}`,
    );
    return totals;
  }
}
