import { THREAD_BATCH_MAX, type ThreadBatchRequest, type ThreadBatchResult } from '@tanya/contract';
import { api } from '../../../app/api/api-client';

export interface BatchResult extends ThreadBatchResult {
  /** Why the threads after those in the result were not reached. */
  failure?: unknown;
}

/** Runs one action on any number of threads; the server takes a bounded number at once. Rejects if nothing was done. */
export async function postBatch({ action, ids }: ThreadBatchRequest): Promise<BatchResult> {
  const all: BatchResult = { ids: [], skipped: [] };
  for (let start = 0; start < ids.length; start += THREAD_BATCH_MAX) {
    const part = { action, ids: ids.slice(start, start + THREAD_BATCH_MAX) };
    let done: ThreadBatchResult;
    try {
      done = await api.post<ThreadBatchResult>('/api/chat/threads/batch', part);
    } catch (failure) {
      if (start === 0) throw failure;
      return { ...all, failure };
    }
    all.ids.push(...done.ids);
    all.skipped.push(...done.skipped);
    all.restorableUntil ??= done.restorableUntil;
  }
  return all;
}
