import { Injectable } from '@nestjs/common';
import { may } from '../../../access/may.js';
import type { Asker } from '../../../identity/identity.js';
import { ModelsService } from '../../../models/models.service.js';
import { QuotaService } from '../../../quota/quota.service.js';

/** Whether a model may still answer, asked again after the admission. */
@Injectable()
export class ModelAccess {
  constructor(
    private readonly models: ModelsService,
    private readonly quotas: QuotaService,
  ) {}

  /** Reads the account of the asker again: one query. A deleted model answers nobody. */
  async mayStill(asker: Asker, modelId: string): Promise<boolean> {
    const model = this.models.find(modelId);
    return model !== null && may({ ...asker, ...(await this.quotas.planOf(asker.owner)) }, { model });
  }
}
