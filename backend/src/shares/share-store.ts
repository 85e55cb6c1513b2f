import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { statement } from '../platform/database/named-parameters.js';
import { TextQuota } from '../chat/messages/text-quota.js';
import { isUsableAccount } from '../users/user-sql.js';
import { ShareEntity } from './share.entity.js';

/** A snapshot that may be shown, without its messages. */
export interface Snapshot {
  id: string;
  title: string;
  createdAt: Date;
}

export type OwnShareRow = Pick<ShareEntity, 'token' | 'title' | 'messageCount' | 'createdAt' | 'expiresAt'>;

/** Condition on a row of `share`: the link is valid. */
const IS_VALID = `(expires_at is null or expires_at > now()) and ${isUsableAccount('share.user_id')}`;

const LIST_COLUMNS = `token, title, message_count as "messageCount", created_at as "createdAt", expires_at as "expiresAt"`;

/** Bytes of a piece of a snapshot's JSON. A piece is decoded in one turn of the event loop. */
const PIECE_BYTES = 500_000;

/** $1 snapshot. `offset 0` makes Postgres read and encode the JSON once. The pieces come as bytes, because a piece can end within a character. */
const PIECES = `
  select substring(whole.json from at for ${PIECE_BYTES}) as piece
  from (select convert_to(messages, 'UTF8') as json from share where id = $1 offset 0) whole,
    generate_series(1, octet_length(whole.json), ${PIECE_BYTES}) at
  order by at`;

/** $1 snapshot. Each message as JSON. */
const MESSAGES = `
  select entry.value::text as message from share, json_array_elements(messages::json) with ordinality entry (value, at)
  where id = $1 order by at`;

/** Expired snapshots that one statement deletes. */
export const EXPIRED_BATCH = 50;

type NewShare = Pick<ShareEntity, 'id' | 'token' | 'userId' | 'title' | 'expiresAt'>;

const insertShare = statement<NewShare & { messages: string; count: number; characters: number }>(`
  insert into share (id, token, user_id, title, messages, message_count, characters, expires_at)
  values (:id, :token, :userId, :title, :messages, :count, :characters, :expiresAt) returning ${LIST_COLUMNS}`);

@Injectable()
export class ShareStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    texts: TextQuota,
  ) {
    texts.add('select sum(characters) from share where user_id = $2::int');
  }

  /** @returns null for an unknown token, an expired link, and a link of an account that may not be used */
  async findValid(token: string): Promise<Snapshot | null> {
    const rows = await this.dataSource.query<Snapshot[]>(
      `select id, title, created_at as "createdAt" from share where token = $1 and ${IS_VALID}`,
      [token],
    );
    return rows[0] ?? null;
  }

  /** The JSON of a snapshot's messages in UTF-8, in pieces; empty when it was deleted. */
  async json(id: string): Promise<Buffer[]> {
    const rows = await this.dataSource.query<{ piece: Buffer }[]>(PIECES, [id]);
    return rows.map(({ piece }) => piece);
  }

  /** The messages of a snapshot, each a `SharedMessage` as JSON. */
  async messages(id: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ message: string }[]>(MESSAGES, [id]);
    return rows.map(({ message }) => message);
  }

  /** Unexpired links of an account, newest first. */
  list(userId: number, manager: EntityManager = this.dataSource.manager): Promise<OwnShareRow[]> {
    return manager.query<OwnShareRow[]>(
      `select ${LIST_COLUMNS} from share where user_id = $1 and (expires_at is null or expires_at > now())
       order by created_at desc, id`,
      [userId],
    );
  }

  /** @param messages the JSON of a list of `SharedMessage`, and their number */
  async insert(
    manager: EntityManager,
    share: NewShare,
    { json, count }: { json: string; count: number },
  ): Promise<OwnShareRow> {
    const [row] = await manager.query<[OwnShareRow]>(
      ...insertShare({ ...share, messages: json, count, characters: json.length }),
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
