import type { ThreadBatchRequest, ThreadBatchResult } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { Owner } from '../../identity/identity.js';
import { OwnerSockets } from '../sockets/owner-sockets.js';
import { type ThreadPlace, ThreadStore } from '../messages/thread-store.js';
import { ThreadTrash } from './thread-trash.js';

const PLACES = {
  pin: { isPinned: true },
  unpin: { isPinned: false },
  archive: { isArchived: true },
  unarchive: { isArchived: false },
} satisfies Record<string, ThreadPlace>;

@Injectable()
export class ThreadBatches {
  constructor(
    private readonly store: ThreadStore,
    private readonly trash: ThreadTrash,
    private readonly sockets: OwnerSockets,
  ) {}

  /** Threads that do not exist, and those of other owners, are skipped. */
  async run({ owner }: { owner: Owner }, { action, ids }: ThreadBatchRequest): Promise<ThreadBatchResult> {
    const wanted = [...new Set(ids)];
    if (action === 'delete') return this.delete(owner, wanted);
    const changed =
      action === 'restore'
        ? await this.trash.restore(owner, wanted)
        : await this.store.organize(owner, wanted, PLACES[action]);
    for (const threadId of changed) {
      // Nothing else reaches a temporary thread.
      const isTemporary = action === 'restore' && (await this.store.isTemporary(threadId));
      this.sockets.threadChanged(owner, { threadId, isTemporary });
    }
    return resultOf(wanted, changed, []);
  }

  private async delete(owner: Owner, ids: number[]): Promise<ThreadBatchResult> {
    const { trashed, busy, restorableUntil: until } = await this.trash.trash(owner, ids);
    const result = resultOf(ids, trashed, busy);
    if (until === null) return result;
    const restorableUntil = until.toISOString();
    for (const threadId of trashed) this.sockets.emit(owner, 'thread:deleted', { threadId, restorableUntil });
    return { ...result, restorableUntil };
  }
}

function resultOf(ids: readonly number[], changed: readonly number[], busy: readonly number[]): ThreadBatchResult {
  const done = new Set(changed);
  const skipped = ids
    .filter((id) => !done.has(id))
    .map((id) => ({ id, code: busy.includes(id) ? ('thread_busy' as const) : ('not_found' as const) }));
  return { ids: ids.filter((id) => done.has(id)), skipped };
}
