import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../config/timings.js';
import { BackgroundWork } from '../platform/resilience/background-work.js';
import { eachAlone } from '../platform/resilience/each-alone.js';
import { ImportStore } from './import-store.js';
import { ImportsService } from './imports.service.js';

/** Ends the imports of dead nodes and completes their undos. Runs on every node. */
@Injectable()
export class ImportSweep {
  constructor(
    @Inject(TIMINGS) timings: Timings,
    private readonly store: ImportStore,
    private readonly imports: ImportsService,
    background: BackgroundWork,
  ) {
    background.repeat('sweep of imports', timings.nodeDead, () => this.sweep());
  }

  async sweep(): Promise<void> {
    await this.store.failDead();
    await eachAlone(await this.store.unfinishedUndos(), ({ id, userId }) => this.imports.deleteThreads(userId, id));
  }
}
