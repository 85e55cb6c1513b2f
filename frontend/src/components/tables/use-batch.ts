import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import { fail } from '../feedback/fail';
import { notify } from '../feedback/notify';
import type { BatchReport } from './batch-dialog';
import type { Selection } from './selection';

interface Batch<Changes> {
  selection: Selection;
  /** Entries of one call. */
  most: number;
  /** @returns the entries that were refused, and why */
  send: (ids: number[], changes: Changes) => Promise<{ id: number; reason: string }[]>;
  /** Says how many entries were changed. */
  changed: (count: number) => string;
  refresh: () => void;
  /** After a change of all entries. */
  onDone: () => void;
}

/** A change of the chosen entries. Those that were changed are chosen no longer; the report has the others. */
export function useBatch<Changes>({ selection, most, send, changed, refresh, onDone }: Batch<Changes>) {
  const change = useSingleFlightMutation({
    mutationFn: async (changes: Changes) => {
      const failed: BatchReport['failed'] = [];
      let count = 0;
      for (let start = 0; start < selection.chosen.length; start += most) {
        const part = selection.chosen.slice(start, start + most);
        const ids = part.map(({ id }) => Number(id));
        const reasons = new Map((await send(ids, changes)).map(({ id, reason }) => [String(id), reason]));
        for (const { id, name } of part) if (reasons.has(id)) failed.push({ id, name, reason: reasons.get(id)! });
        const done = part.filter(({ id }) => !reasons.has(id));
        count += done.length;
        selection.set(done, false);
      }
      return { count, failed };
    },
    onSuccess: ({ count, failed }) => {
      // Otherwise the dialog reports it: on a phone a toast would cover its buttons.
      if (failed.length > 0) return;
      notify({ title: changed(count) });
      onDone();
    },
    onError: fail('batch.error'),
    // Parts before one that failed are changed.
    onSettled: refresh,
  });
  return { ...change, report: reportOf(change.data, changed) };
}

function reportOf(
  result: { count: number; failed: BatchReport['failed'] } | undefined,
  changed: (count: number) => string,
): BatchReport | null {
  if (result === undefined || result.failed.length === 0) return null;
  return { changed: result.count === 0 ? null : changed(result.count), failed: result.failed };
}
