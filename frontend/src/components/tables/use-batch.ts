import { useSingleFlightMutation } from '../../app/queries/use-single-flight-mutation';
import type { FailedEntry } from '../dialogs/batch-dialog';
import { fail } from '../feedback/fail';
import { notify } from '../feedback/notify';
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

/** A change of the chosen entries, whose result are those that were refused. The others are chosen no longer. */
export function useBatch<Changes>({ selection, most, send, changed, refresh, onDone }: Batch<Changes>) {
  const change = useSingleFlightMutation({
    mutationFn: async (changes: Changes) => {
      const failed: FailedEntry[] = [];
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
      if (count > 0) notify({ title: changed(count) });
      if (failed.length === 0) onDone();
    },
    onError: fail('batch.error'),
    // Parts before one that failed are changed.
    onSettled: refresh,
  });
  return { ...change, failed: change.data?.failed ?? [] };
}
