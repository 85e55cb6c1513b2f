import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Owner } from './identity.js';

type DeleteHook = (owner: Owner) => Promise<void>;
type SuspendHook = (owner: Owner) => Promise<void>;
type FirstAdminHook = (userId: number) => Promise<void>;
type ExportHook = (owner: Owner) => AsyncIterable<unknown>;
type GuestMigrationHook = (manager: EntityManager, guest: Owner, account: Owner) => Promise<void>;

/**
 * Hooks that rooms register to take part in the suspension, deletion or export of an account, in the migration of a guest,
 * and in the first start. The rooms of accounts run the hooks and import none of the registered rooms.
 */
@Injectable()
export class AccountLifecycleHooks {
  private readonly deletes: DeleteHook[] = [];
  private readonly suspensions: SuspendHook[] = [];
  private readonly firstAdmins: FirstAdminHook[] = [];
  private readonly guestMigrations: GuestMigrationHook[] = [];
  private readonly exports = new Map<string, ExportHook>();

  /** Runs before the account's row is deleted: ends running generations, deletes data outside of Postgres. */
  onDelete(hook: DeleteHook): void {
    this.deletes.push(hook);
  }

  onSuspend(hook: SuspendHook): void {
    this.suspensions.push(hook);
  }

  onGuestMigration(hook: GuestMigrationHook): void {
    this.guestMigrations.push(hook);
  }

  /** Runs at the start that created the first admin of the installation. */
  onFirstAdmin(hook: FirstAdminHook): void {
    this.firstAdmins.push(hook);
  }

  onExport(part: string, hook: ExportHook): void {
    this.exports.set(part, hook);
  }

  async beforeDelete(owner: Owner): Promise<void> {
    for (const hook of this.deletes) await hook(owner);
  }

  async afterSuspension(owner: Owner): Promise<void> {
    for (const hook of this.suspensions) await hook(owner);
  }

  async afterFirstAdmin(userId: number): Promise<void> {
    for (const hook of this.firstAdmins) await hook(userId);
  }

  async migrateGuest(manager: EntityManager, guest: Owner, account: Owner): Promise<void> {
    for (const hook of this.guestMigrations) await hook(manager, guest, account);
  }

  /** The lists of the account export by name; a list is read while it is iterated. */
  exportOf(owner: Owner): [part: string, items: AsyncIterable<unknown>][] {
    return [...this.exports].map(([part, hook]) => [part, hook(owner)]);
  }
}
