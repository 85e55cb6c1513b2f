import { randomBytes } from 'node:crypto';
import { LIMITS } from '@tanya/contract';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ENV, type Env } from '../config/env.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { PasswordsService } from './passwords.service.js';
import { UserEntity } from './user.entity.js';
import { hasAt, isUsername, usernameKey } from './username.js';

/** Advisory lock, 'tanA' in ASCII: nodes that start together create one admin. */
const FIRST_ADMIN_LOCK = 0x74616e41;

const PASSWORD_BYTES = 15;

/** Creates an admin at the start while the installation has none. Registration never makes an admin. */
@Injectable()
export class FirstAdminService implements OnApplicationBootstrap {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly dataSource: DataSource,
    private readonly passwords: PasswordsService,
    private readonly hooks: AccountLifecycleHooks,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const created = await this.dataSource.transaction((manager) => this.create(manager));
    if (created === null) return;
    const { password } = this.env.admin;
    process.stdout.write(
      `username: ${created.name}\npassword: ${password === null ? created.password : '(as set in ADMIN_PASSWORD)'}\n`,
    );
    await this.hooks.afterFirstAdmin(created.id);
  }

  private async create(manager: EntityManager): Promise<{ id: number; name: string; password: string } | null> {
    await manager.query('select pg_advisory_xact_lock($1)', [FIRST_ADMIN_LOCK]);
    if (await manager.existsBy(UserEntity, { isAdmin: true })) return null;
    const name = await this.availableName(manager);
    const password = this.env.admin.password ?? randomBytes(PASSWORD_BYTES).toString('base64url');
    const user = manager.create(UserEntity, {
      username: name,
      usernameKey: usernameKey(name),
      passwordHash: await this.passwords.hash(password),
      isAdmin: true,
    });
    await manager.insert(UserEntity, user);
    return { id: user.id, name, password };
  }

  /** The configured username, with a random suffix when an account already has it; that account is not changed. */
  private async availableName(manager: EntityManager): Promise<string> {
    const { username } = this.env.admin;
    if (!isUsername(username) || hasAt(username) || username.length > LIMITS.username.max)
      throw new Error('ADMIN_USERNAME is not a valid username');
    const taken = await manager.existsBy(UserEntity, { usernameKey: usernameKey(username) });
    return taken ? `${username}-${randomBytes(3).toString('hex')}` : username;
  }
}
