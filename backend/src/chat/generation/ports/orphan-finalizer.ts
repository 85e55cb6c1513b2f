import type { MessageStatus } from '@tanya/contract';
import type { ForcedEnd } from './generation-topics.js';

/** Port: ends generations whose node is dead, and those that no node holds. `nodes/` implements it. */
export abstract class OrphanFinalizer {
  /** @returns the final status, or null while the generation's node is alive or the generation waits for approvals */
  abstract finalizeIfDead(generation: {
    id: string;
    node_id: string;
    status: MessageStatus;
  }): Promise<MessageStatus | null>;

  /**
   * Ends a generation that waits for approvals: its calls are denied. `expired` is the end without a decision in time.
   * @returns the status now, `streaming` when the last approval came first; null when the generation was deleted
   */
  abstract endWaiting(id: string, end: ForcedEnd | 'expired'): Promise<MessageStatus | null>;

  /** Ends a generation that its node does not end, with the text that was saved. @returns the final status */
  abstract finalize(id: string, status: ForcedEnd): Promise<MessageStatus>;
}
