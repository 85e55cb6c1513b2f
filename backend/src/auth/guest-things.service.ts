import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Bus } from '../platform/redis/bus.js';
import { guestOwner, type Owner, userOwner } from '../platform/session/identity.js';
import { AccountLifecycleHooks } from '../platform/session/account-lifecycle-hooks.js';

/** What a visitor wrote, uploaded and used up before signing in goes along into the account. */
@Injectable()
export class GuestMigration {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hooks: AccountLifecycleHooks,
    private readonly bus: Bus,
  ) {}

  /** At login: all of it in one transaction. */
  async adopt(guestId: string, userId: number): Promise<void> {
    await this.dataSource.transaction((manager) => this.move(manager, guestId, userId));
    await this.announce(guestOwner(guestId), userOwner(userId));
  }

  /** Inside the caller's transaction; `announce` after its commit. */
  async move(manager: EntityManager, guestId: string, userId: number): Promise<void> {
    await this.hooks.adopt(manager, guestOwner(guestId), userOwner(userId));
  }

  async announce(from: Owner, to: Owner): Promise<void> {
    await this.bus.publish('owner:adopted', { from, to });
  }
}
