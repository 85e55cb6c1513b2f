import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../config/timings.js';
import { FilesService } from '../files/files.service.js';
import { BackgroundWork } from '../platform/resilience/background-work.js';
import { EXPIRED_BATCH, ShareStore } from './share-store.js';

/** Deletes expired snapshots with their files. Runs on every node; deleting twice is harmless. */
@Injectable()
export class ShareSweep {
  constructor(
    @Inject(TIMINGS) timings: Timings,
    private readonly store: ShareStore,
    private readonly files: FilesService,
    background: BackgroundWork,
  ) {
    background.repeat('sweep of expired share links', timings.fileSweep, () => this.sweep());
  }

  async sweep(): Promise<void> {
    for (;;) {
      const ids = await this.store.expired();
      await this.files.deleteContentsOfShares(ids, () => this.store.delete(ids));
      if (ids.length < EXPIRED_BATCH) return;
    }
  }
}
