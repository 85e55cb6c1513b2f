import type { UserFilter, UserSort } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository, type SelectQueryBuilder } from 'typeorm';
import { isGroupMember } from '../access/group-sql.js';
import { PLANNED_EACH_TIME } from '../platform/database/prepared-connection.js';
import { invalidField } from '../platform/errors/app-error.js';
import { COSTS_OF_MONTH } from '../quota/quota-sql.js';
import { UserEntity } from '../users/user.entity.js';
import { usernameKey } from '../users/username.js';
import type { UserListFilter } from './user-filter.js';

/**
 * The last account of a page, by its id, its username key, or the value and id by which a list is sorted. A list by username
 * continues after the key, which no deletion or new name of the account changes.
 */
export type UserCursor = { id: number } | { usernameKey: string } | { value: string; id: number };

const ID = /^\d{1,9}$/;
const KEY_PREFIX = 'key_';
/** A time in µs or an amount in USD, and the id. */
const VALUE = /^(-?\d{1,18}(?:\.\d{1,12})?)_(\d{1,9})$/;

interface ListedUser {
  id: number;
  usernameKey: string;
  /** By which a list by cost or last call is sorted. */
  value?: string;
}

const isByValue = (sort: UserSort): sort is keyof typeof VALUES => sort in VALUES;

export function writeUserCursor(sort: UserSort, { id, usernameKey, value }: ListedUser): string {
  if (isByValue(sort)) return `${value}_${id}`;
  return sort === 'username' ? KEY_PREFIX + Buffer.from(usernameKey).toString('base64url') : String(id);
}

/** @returns null for text that is not a cursor of this order. An id is a cursor of every order that has no values. */
export function parseUserCursor(sort: UserSort, text: string): UserCursor | null {
  if (isByValue(sort)) {
    const [, value, id] = VALUE.exec(text) ?? [];
    return value === undefined ? null : { value, id: Number(id) };
  }
  if (ID.test(text)) return { id: Number(text) };
  if (sort !== 'username' || !text.startsWith(KEY_PREFIX)) return null;
  const usernameKey = Buffer.from(text.slice(KEY_PREFIX.length), 'base64url').toString();
  const isOwn = usernameKey !== '' && !usernameKey.includes('\0');
  return isOwn && writeUserCursor(sort, { id: 0, usernameKey }) === text ? { usernameKey } : null;
}

const SWITCHES: Readonly<Record<UserFilter | 'premium', string>> = {
  waiting: 'not is_approved',
  suspended: 'is_suspended',
  admin: 'is_admin',
  service: 'is_service',
  premium: 'is_premium',
};

/** The values by which lists are sorted, the greatest first. */
const VALUES = {
  lastSeen: `coalesce((extract(epoch from last_seen_at) * 1000000)::bigint, -1)`,
  cost: 'coalesce(of_month.cost, 0)',
};

/** The trigram index needs three characters; shorter searches match the start of the username. */
const TRIGRAM_LENGTH = 3;

/**
 * Must equal the expression of the index `user_search`, or Postgres does not use the index. `search_key` is in
 * `users/functions.sql`.
 */
const SEARCH_EXPRESSION = `search_key(username || ' ' || coalesce(full_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone_number, ''))`;

/** The key of the searched part as a pattern. It is escaped after its key was made, which turns a full-width % into %. */
const SEARCHED = String.raw`regexp_replace(search_key(:part), '[\\%_]', '\\\&', 'g')`;

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Pages of accounts for admins. */
@Injectable()
export class UserListService {
  constructor(@InjectRepository(UserEntity) private readonly users: Repository<UserEntity>) {}

  /** The number of accounts on all pages. */
  count(filter: UserListFilter): Promise<number> {
    return this.matching(filter).getCount();
  }

  /**
   * @param before the last account of the page before
   * @throws AppError `invalid` for the id of an unknown account in a list by username
   */
  async page(
    filter: UserListFilter,
    sort: UserSort,
    limit: number,
    before: UserCursor | null,
  ): Promise<{ users: UserEntity[]; nextCursor: string | null }> {
    const query = this.matching(filter)
      .select('"user".id', 'id')
      .addSelect('username_key', 'usernameKey')
      .limit(limit + 1);
    await this.order(query, sort, before);
    const rows = await query.getRawMany<ListedUser>();
    const page = rows.slice(0, limit);
    const found = await this.users.findBy({ id: In(page.map(({ id }) => id)) });
    const byId = new Map(found.map((user) => [user.id, user]));
    return {
      users: page.flatMap(({ id }) => byId.get(id) ?? []),
      nextCursor: rows.length > limit ? writeUserCursor(sort, page.at(-1)!) : null,
    };
  }

  private matching({ search, groupId, switches }: UserListFilter): SelectQueryBuilder<UserEntity> {
    const query = this.users.createQueryBuilder('user');
    for (const [name, isWanted] of Object.entries(switches))
      query.andWhere(`(${SWITCHES[name as keyof typeof SWITCHES]}) = ${isWanted}`);
    if (groupId !== null) query.andWhere(isGroupMember('"user".id', ':groupId'), { groupId });
    if (search !== '') this.addSearch(query, search);
    return query;
  }

  private async order(query: SelectQueryBuilder<UserEntity>, sort: UserSort, before: UserCursor | null): Promise<void> {
    if (isByValue(sort)) {
      // Joined for an order alone: a look-up for each account reads forty thousand blocks.
      if (sort === 'cost') query.leftJoin(COSTS_OF_MONTH, 'of_month', `of_month.owner = 'user:' || "user".id`);
      query.addSelect(`${VALUES[sort]}::text`, 'value').orderBy(VALUES[sort], 'DESC').addOrderBy('"user".id', 'DESC');
      if (before !== null) query.andWhere(`(${VALUES[sort]}, "user".id) < (:value::numeric, :id)`, before);
    } else if (sort === 'username') {
      query.orderBy('username_key', 'ASC');
      if (before !== null) query.andWhere('username_key > :key', { key: await this.keyOf(before) });
    } else {
      query.orderBy('"user".id', sort === 'newest' ? 'DESC' : 'ASC');
      if (before !== null) query.andWhere(sort === 'newest' ? '"user".id < :id' : '"user".id > :id', before);
    }
  }

  private async keyOf(before: UserCursor): Promise<string> {
    if (!('id' in before)) return before.usernameKey;
    const user = await this.users.findOne({ select: { usernameKey: true }, where: { id: before.id } });
    if (user === null) throw invalidField('before', 'before must be a cursor');
    return user.usernameKey;
  }

  private addSearch(query: SelectQueryBuilder<UserEntity>, search: string): void {
    query.comment(PLANNED_EACH_TIME);
    if (search.length < TRIGRAM_LENGTH) {
      query.andWhere('username_key like :start', { start: `${escapeLike(usernameKey(search))}%` });
    } else {
      query.andWhere(`${SEARCH_EXPRESSION} like '%' || ${SEARCHED} || '%'`, { part: search });
    }
  }
}
