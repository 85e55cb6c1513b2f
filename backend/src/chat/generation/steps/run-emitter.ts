import type { GenerationEvent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { ChatEvents } from '../ports/chat-events.js';
import { RunOwnership } from '../ports/run-ownership.js';
import type { GenerationRun } from '../run/generation-run.js';

/** Sends the events of runs to their owners. */
@Injectable()
export class RunEmitter {
  constructor(
    private readonly ownership: RunOwnership,
    private readonly events: ChatEvents,
  ) {}

  /** While ownership is unverified nothing is emitted: clients detect the sequence gap and resume. */
  emit(run: GenerationRun, event: GenerationEvent | null): void {
    if (event === null || run.isDetached) return;
    if (this.ownership.isVerified && run.abortReason !== 'fenced') {
      this.events.emit(run.owner, 'generation:event', event);
    }
  }
}
