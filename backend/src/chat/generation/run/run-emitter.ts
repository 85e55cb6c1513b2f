import type { GenerationEvent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { OwnerSockets } from '../../sockets/owner-sockets.js';
import { VerifiedOwnership } from '../../nodes/verified-ownership.js';
import type { GenerationRun } from '../live/generation-run.js';

/** Sends the events of runs to their owners. */
@Injectable()
export class RunEmitter {
  constructor(
    private readonly ownership: VerifiedOwnership,
    private readonly sockets: OwnerSockets,
  ) {}

  /** While ownership is unverified nothing is emitted: clients detect the sequence gap and resume. */
  emit(run: GenerationRun, event: GenerationEvent | null): void {
    if (event === null || run.isDetached) return;
    if (this.ownership.isVerified && run.abortReason !== 'fenced') {
      this.sockets.emit(run.owner, 'generation:event', event);
    }
  }
}
