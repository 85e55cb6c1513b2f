import type { MessageStatus } from '@tanya/contract';

/** Port: ends generations whose node is dead. `nodes/` implements it. */
export abstract class OrphanFinalizer {
  /** @returns the final status, or null while the generation's node is alive */
  abstract finalizeIfDead(generation: { id: string; node_id: string }): Promise<MessageStatus | null>;

  /** Ends a generation that its node does not end, with the text that was saved. @returns the final status */
  abstract finalize(id: string, status: 'interrupted' | 'stopped'): Promise<MessageStatus>;
}
