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
  /** Part of a name, an address or a number. */
  search: string;
  /** The id that the page before ended with. */
  before: number | null;
}

/** From this length on a trigram index finds a part anywhere in the text. */
const ANYWHERE_FROM = 3;

/** The same expression as the index `user_search`, else it is of no use. */
const SEARCHED = `lower(username || ' ' || coalesce(full_name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone_number, ''))`;

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Pages through the accounts for admins; each page costs the same however many there are. */
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
    if (search !== '') this.narrow(query, search);
    const users = await query.getMany();
    const page = users.slice(0, limit);
    return { users: page, nextCursor: users.length > limit ? String(page.at(-1)!.id) : null };
  }

  private narrow(query: SelectQueryBuilder<UserEntity>, search: string): void {
    query.comment(PLANNED_EACH_TIME);
    if (search.length < ANYWHERE_FROM) {
      query.andWhere('username_key like :start', { start: `${escapeLike(usernameKey(search))}%` });
    } else {
      query.andWhere(`${SEARCHED} like :part`, { part: `%${escapeLike(search.toLowerCase())}%` });
    }
  }
}
