import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { UserEntity } from './user.entity.js';
import { isPremium } from './user-sql.js';

/** What an account may do. */
export type Roles = Pick<UserEntity, 'id' | 'isPremium' | 'isAdmin' | 'hasTotp'>;

/**
 * Reads the roles of an account from its row. Each call and each socket event reads them, so the SQL is written out:
 * building the query costs more than running it.
 */
@Injectable()
export class RolesService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** @returns null when the account is deleted, has a newer session epoch or is not approved */
  async ofSession(userId: number, epoch: number): Promise<Roles | null> {
    const [user] = await this.dataSource.query<Roles[]>(
      `select id, is_premium as "isPremium", is_admin as "isAdmin", has_totp as "hasTotp" from "user"
       where id = $1 and session_epoch = $2 and is_approved`,
      [userId, epoch],
    );
    return user ?? null;
  }

  async isPremium(userId: number): Promise<boolean> {
    const [row] = await this.dataSource.query<[{ is_premium: boolean }]>(
      `select ${isPremium('$1::int')} as is_premium`,
      [userId],
    );
    return row.is_premium;
  }
}
