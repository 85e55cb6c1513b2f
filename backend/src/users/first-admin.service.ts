import { randomBytes } from 'node:crypto';
import { LIMITS } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ENV, type Env } from '../config/env.js';
import { PasswordsService } from './passwords.service.js';
import { UserEntity } from './user.entity.js';
import { isUsername, usernameKey } from './username.js';

/** 'tanA' in ASCII: processes that start together make one admin. */
const FIRST_ADMIN_LOCK = 0x74616e41;

const PASSWORD_BYTES = 15;

/** Makes the first admin where there is none. Nobody becomes admin by being the first to register. */
@Injectable()
export class FirstAdmin implements OnApplicationBootstrap {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly dataSource: DataSource,
    private readonly passwords: PasswordsService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const username = await this.dataSource.transaction((manager) => this.create(manager));
    if (username === null) return;
    const { password } = this.env.admin;
    process.stdout.write(
      `username: ${username.name}\npassword: ${password === null ? username.password : '(as set in ADMIN_PASSWORD)'}\n`,
    );
  }

  private async create(manager: EntityManager): Promise<{ name: string; password: string } | null> {
    await manager.query('select pg_advisory_xact_lock($1)', [FIRST_ADMIN_LOCK]);
    if (await manager.existsBy(UserEntity, { isAdmin: true })) return null;
    const name = await this.freeName(manager);
    const password = this.env.admin.password ?? randomBytes(PASSWORD_BYTES).toString('base64url');
    await manager.insert(UserEntity, {
      username: name,
      usernameKey: usernameKey(name),
      passwordHash: await this.passwords.hash(password),
      isAdmin: true,
    });
    return { name, password };
  }

  /** Somebody may have registered under the admin's name; that account stays what it is. */
  private async freeName(manager: EntityManager): Promise<string> {
    const { username } = this.env.admin;
    if (!isUsername(username) || username.length > LIMITS.username.max)
      throw new Error('ADMIN_USERNAME is no username');
    const taken = await manager.existsBy(UserEntity, { usernameKey: usernameKey(username) });
    return taken ? `${username}-${randomBytes(3).toString('hex')}` : username;
  }
}
