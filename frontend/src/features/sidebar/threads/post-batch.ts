import { THREAD_BATCH_MAX, type ThreadBatchRequest, type ThreadBatchResult } from '@tanya/contract';
import { api } from '../../../app/api/api-client';

/** Runs one action on any number of threads; the server takes a bounded number at once. */
export async function postBatch({ action, ids }: ThreadBatchRequest): Promise<ThreadBatchResult> {
  const all: ThreadBatchResult = { ids: [], skipped: [] };
  for (let start = 0; start < ids.length; start += THREAD_BATCH_MAX) {
    const part = { action, ids: ids.slice(start, start + THREAD_BATCH_MAX) };
    const done = await api.post<ThreadBatchResult>('/api/chat/threads/batch', part);
    all.ids.push(...done.ids);
    all.skipped.push(...done.skipped);
    all.restorableUntil ??= done.restorableUntil;
  }
  return all;
}
