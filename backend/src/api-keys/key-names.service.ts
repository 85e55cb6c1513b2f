import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { UsersService } from '../users/users.service.js';

/** The name of a key, and its account. */
export interface KeyName {
  name: string;
  userId: number;
  username: string | null;
}

/** Names of keys for reports. */
@Injectable()
export class KeyNames {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly users: UsersService,
  ) {}

  /** The names by key id; a deleted key is missing. */
  async of(ids: readonly number[]): Promise<Map<number, KeyName>> {
    if (ids.length === 0) return new Map();
    const keys = await this.dataSource.query<{ id: number; name: string; userId: number }[]>(
      'select id, name, user_id as "userId" from api_key where id = any($1::int[])',
      [ids],
    );
    const usernames = await this.users.usernamesOf(keys.map(({ userId }) => userId));
    return new Map(keys.map(({ id, name, userId }) => [id, { name, userId, username: usernames.get(userId) ?? null }]));
  }
}
