import type { UserSort } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { isGroupMember } from '../access/group-sql.js';
import { PLANNED_EACH_TIME } from '../platform/database/prepared-connection.js';
import { invalidField } from '../platform/errors/app-error.js';
import { UserEntity } from '../users/user.entity.js';
import { usernameKey } from '../users/username.js';

/**
 * The last account of a page, by its id or its username key. A list by username continues after the key, which no deletion
 * or new name of the account changes.
 */
export type UserCursor = { id: number } | { usernameKey: string };

const ID = /^\d{1,9}$/;
const KEY_PREFIX = 'key_';

export const writeUserCursor = (sort: UserSort, { id, usernameKey }: { id: number; usernameKey: string }): string =>
  sort === 'username' ? KEY_PREFIX + Buffer.from(usernameKey).toString('base64url') : String(id);

/** @returns null for text that is not a cursor of this order. An id is a cursor of every order. */
export function parseUserCursor(sort: UserSort, text: string): UserCursor | null {
  if (ID.test(text)) return { id: Number(text) };
  if (sort !== 'username' || !text.startsWith(KEY_PREFIX)) return null;
  const usernameKey = Buffer.from(text.slice(KEY_PREFIX.length), 'base64url').toString();
  const isOwn = usernameKey !== '' && !usernameKey.includes('\0');
  return isOwn && writeUserCursor(sort, { id: 0, usernameKey }) === text ? { usernameKey } : null;
}

export interface UserListQuery {
  limit: number;
  sort: UserSort;
  /** Part of a username, full name, email address or phone number. */
  search: string;
  /** Members of this group alone; null lists all. */
  groupId: number | null;
  /** The last account of the page before. */
  before: UserCursor | null;
}

/** The trigram index needs three characters; shorter searches match the start of the username. */
const TRIGRAM_LENGTH = 3;

/** Must equal the expression of the index `user_search`, or Postgres does not use the index. */
const SEARCH_EXPRESSION = `lower(username || ' ' || coalesce(full_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone_number, ''))`;

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Pages of accounts for admins. The cost of a page does not grow with the number of accounts. */
@Injectable()
export class UserListService {
  constructor(@InjectRepository(UserEntity) private readonly users: Repository<UserEntity>) {}

  /** @throws AppError `invalid` for the id of an unknown account in a list by username */
  async list({
    limit,
    sort,
    search,
    groupId,
    before,
  }: UserListQuery): Promise<{ users: UserEntity[]; nextCursor: string | null }> {
    const query = this.users.createQueryBuilder('user').take(limit + 1);
    if (sort === 'username') {
      query.orderBy('user.usernameKey', 'ASC');
      if (before !== null) query.andWhere('username_key > :key', { key: await this.keyOf(before) });
    } else {
      query.orderBy('user.id', sort === 'newest' ? 'DESC' : 'ASC');
      if (before !== null) query.andWhere(sort === 'newest' ? 'id < :id' : 'id > :id', before);
    }
    if (groupId !== null) query.andWhere(isGroupMember('"user".id', ':groupId'), { groupId });
    if (search !== '') this.addSearch(query, search);
    const users = await query.getMany();
    const page = users.slice(0, limit);
    return { users: page, nextCursor: users.length > limit ? writeUserCursor(sort, page.at(-1)!) : null };
  }

  private async keyOf(before: UserCursor): Promise<string> {
    if ('usernameKey' in before) return before.usernameKey;
    const user = await this.users.findOne({ select: { usernameKey: true }, where: { id: before.id } });
    if (user === null) throw invalidField('before', 'before must be a cursor');
    return user.usernameKey;
  }

  private addSearch(query: SelectQueryBuilder<UserEntity>, search: string): void {
    query.comment(PLANNED_EACH_TIME);
    if (search.length < TRIGRAM_LENGTH) {
      query.andWhere('username_key like :start', { start: `${escapeLike(usernameKey(search))}%` });
    } else {
      query.andWhere(`${SEARCH_EXPRESSION} like :part`, { part: `%${escapeLike(search.toLowerCase())}%` });
    }
  }
}
