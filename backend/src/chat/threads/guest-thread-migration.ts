import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountLifecycleHooks } from '../../identity/account-lifecycle-hooks.js';
import { type Owner, ownerUserId } from '../../identity/identity.js';
import { FilesService } from '../../files/files.service.js';
import { QuotaService } from '../../quota/quota.service.js';
import { GenerationStore } from '../generation/store/generation-store.js';
import { migrateTrashedGenerations } from '../generation/store/generation-trash.js';
import { MessageStore } from '../messages/message-store.js';
import { ThreadStore } from '../messages/thread-store.js';
import { TrashStore } from '../messages/trash-store.js';

/** Moves a guest's threads, except temporary ones, with their files to an account at login, those that can be restored included. */
@Injectable()
export class GuestThreadMigration {
  constructor(
    private readonly quotas: QuotaService,
    private readonly generationStore: GenerationStore,
    private readonly messages: MessageStore,
    private readonly threads: ThreadStore,
    private readonly trash: TrashStore,
    private readonly files: FilesService,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onGuestMigration((manager, guest, account) => this.migrateGuest(manager, guest, account));
  }

  /**
   * Locks the accounts, the open generations and the threads before it moves anything, in the order of a generation's end
   * and of a deletion. A deletion or restore that runs at the same time ends before, and its threads move too.
   */
  private async migrateGuest(manager: EntityManager, guest: Owner, account: Owner): Promise<void> {
    const userId = ownerUserId(account)!;
    await this.quotas.lockAccounts(manager, [guest, account]);
    await this.generationStore.lockRunning(manager, guest);
    await this.trash.lockAll(manager, guest);
    await this.generationStore.migrateGuest(manager, guest, account, userId);
    const left = await this.threads.endTemporary(manager, guest);
    await this.messages.migrateGuest(manager, guest, userId);
    await this.threads.migrateGuest(manager, guest, account, userId);
    await this.migrateTrash(manager, guest, account);
    await this.files.migrateGuest(manager, guest, account, left);
    await this.quotas.migrateGuest(manager, guest, account);
  }

  private async migrateTrash(manager: EntityManager, guest: Owner, account: Owner): Promise<void> {
    const threadIds = await this.trash.migrateGuest(manager, guest, account);
    if (threadIds.length > 0) await migrateTrashedGenerations(manager, account, threadIds);
  }
}
