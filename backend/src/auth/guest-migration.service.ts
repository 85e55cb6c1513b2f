import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Bus } from '../platform/bus/bus.js';
import { guestOwner, userOwner } from '../identity/identity.js';
import { AccountLifecycleHooks } from '../identity/account-lifecycle-hooks.js';
import { ownerAdopted } from '../identity/identity-topics.js';

/** Moves a guest's thread, files and usage into the account that the guest signs in to. */
@Injectable()
export class GuestMigrationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hooks: AccountLifecycleHooks,
    private readonly bus: Bus,
  ) {}

  async migrate(guestId: string, userId: number): Promise<void> {
    await this.dataSource.transaction((manager) => this.migrateWithin(manager, guestId, userId));
    await this.publish(guestId, userId);
  }

  async migrateWithin(manager: EntityManager, guestId: string, userId: number): Promise<void> {
    await this.hooks.migrateGuest(manager, guestOwner(guestId), userOwner(userId));
  }

  /** Publishes the migration to every node: running generations get the new owner, cached counters are refreshed. */
  async publish(guestId: string, userId: number): Promise<void> {
    await this.bus.publish(ownerAdopted, { from: guestOwner(guestId), to: userOwner(userId) });
  }
}
