import { Injectable } from '@nestjs/common';
import { groupsChanged } from '../../../access/access-topics.js';
import { may } from '../../../access/may.js';
import type { Asker } from '../../../identity/identity.js';
import { planChanged } from '../../../identity/identity-topics.js';
import { ModelsService } from '../../../models/models.service.js';
import { Bus } from '../../../platform/bus/bus.js';
import { QuotaService } from '../../../quota/quota.service.js';

/** An asker with plan, role and groups as they were read at one moment. */
export interface AskerNow {
  asker: Asker;
  /** Changes of accounts that this node had heard of by then. */
  changes: number;
}

/** Whether a model may still answer, asked again after the admission. */
@Injectable()
export class ModelAccess {
  private changes = 0;

  constructor(
    private readonly models: ModelsService,
    private readonly quotas: QuotaService,
    bus: Bus,
  ) {
    const note = () => void (this.changes += 1);
    bus.subscribe(planChanged, note);
    bus.subscribe(groupsChanged, note);
  }

  /** Reads plan, role and groups again. One query. */
  async now(asker: Asker): Promise<AskerNow> {
    const { changes } = this;
    return { asker: { ...asker, ...(await this.quotas.planOf(asker.owner)) }, changes };
  }

  /** Whether the model may answer now. The account is read only if one has changed since. A deleted model answers nobody. */
  async mayStill(read: AskerNow, modelId: string): Promise<boolean> {
    const model = this.models.find(modelId);
    if (model === null) return false;
    const { asker } = read.changes === this.changes ? read : await this.now(read.asker);
    return may(asker, { model });
  }
}
