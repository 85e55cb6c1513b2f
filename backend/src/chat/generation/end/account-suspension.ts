import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountLifecycleHooks } from '../../../identity/account-lifecycle-hooks.js';
import type { Owner } from '../../../identity/identity.js';
import { QuotaService } from '../../../quota/quota.service.js';
import { GenerationStopper } from './generation-stopper.js';

/** Interrupts the running generations of a suspended account, on all nodes. Their holds are released. */
@Injectable()
export class AccountSuspension {
  constructor(
    private readonly dataSource: DataSource,
    private readonly quotas: QuotaService,
    private readonly stopper: GenerationStopper,
    hooks: AccountLifecycleHooks,
  ) {
    hooks.onSuspend((owner) => this.interruptAll(owner));
  }

  private async interruptAll(owner: Owner): Promise<void> {
    // Waits for admissions that have read the account before its suspension; later ones are refused.
    await this.dataSource.transaction((manager) => this.quotas.lockAccounts(manager, [owner]));
    await this.stopper.interruptAll(owner);
  }
}
