import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageStatus } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import { RunRegistry } from '../live/run-registry.js';
import { GenerationStore } from '../store/generation-store.js';

/** How often the status of another node's generation is read, in ms. */
const POLL_INTERVAL_MS = 200;

/** Longest wait for one answer in ms; the timeouts of providers end it earlier. */
const MAX_ANSWER_MS = 30 * 60 * 1000;

/** Waits until generations have ended or wait for approvals, on whichever node they run. */
@Injectable()
export class GenerationWaiter {
  constructor(
    private readonly store: GenerationStore,
    private readonly registry: RunRegistry,
  ) {}

  /**
   * @returns the final status, `waiting`, or `streaming` after the longest wait
   * @throws AppError `not_found` when the generation was deleted
   */
  async ended(generationId: string): Promise<MessageStatus> {
    await this.registry.find(generationId)?.ended;
    for (const deadline = Date.now() + MAX_ANSWER_MS; ; await sleep(POLL_INTERVAL_MS)) {
      const status = await this.store.status(generationId);
      if (status === null) throw new AppError('not_found');
      if (status !== 'streaming' || Date.now() > deadline) return status;
    }
  }
}
