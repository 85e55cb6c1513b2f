import type { UserSort } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { PLANNED_EACH_TIME } from '../platform/database/prepared-connection.js';
import { UserEntity } from './user.entity.js';
import { usernameKey } from './username.js';

export interface UserListQuery {
  limit: number;
  sort: UserSort;
  /** Part of a username, full name, email address or phone number. */
  search: string;
  /** Cursor: the last id of the page before. */
  before: number | null;
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

  async list({
    limit,
    sort,
    search,
    before,
  }: UserListQuery): Promise<{ users: UserEntity[]; nextCursor: string | null }> {
    const query = this.users.createQueryBuilder('user').take(limit + 1);
    if (sort === 'username') {
      query.orderBy('user.usernameKey', 'ASC');
      if (before !== null)
        query.andWhere('username_key > (select username_key from "user" where id = :before)', { before });
    } else {
      query.orderBy('user.id', sort === 'newest' ? 'DESC' : 'ASC');
      if (before !== null) query.andWhere(sort === 'newest' ? 'id < :before' : 'id > :before', { before });
    }
    if (search !== '') this.addSearch(query, search);
    const users = await query.getMany();
    const page = users.slice(0, limit);
    return { users: page, nextCursor: users.length > limit ? String(page.at(-1)!.id) : null };
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
