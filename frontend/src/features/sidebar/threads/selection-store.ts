import { create } from 'zustand';

interface SelectionStore {
  /** The selected threads; null while nothing can be selected. */
  selected: ReadonlySet<number> | null;
  /** The thread that was selected last: one end of a range. */
  last: number | null;
}

export const useSelection = create<SelectionStore>()(() => ({ selected: null, last: null }));

const { getState, setState } = useSelection;

export function startSelection(id: number): void {
  setState({ selected: new Set([id]), last: id });
}

export function toggleSelected(id: number): void {
  const selected = new Set(getState().selected);
  if (!selected.delete(id)) selected.add(id);
  setState({ selected, last: id });
}

/** Selects the threads between the last selected one and this one, both included. @param shown ids in their order */
export function selectTo(id: number, shown: readonly number[]): void {
  const { selected, last } = getState();
  const ends = [shown.indexOf(last ?? id), shown.indexOf(id)].sort((a, b) => a - b);
  const [from = -1, to = -1] = ends;
  if (from < 0) return toggleSelected(id);
  setState({ selected: new Set([...(selected ?? []), ...shown.slice(from, to + 1)]), last: id });
}

export function selectAll(shown: readonly number[]): void {
  setState({ selected: new Set(shown), last: shown.at(-1) ?? null });
}

export function endSelection(): void {
  setState({ selected: null, last: null });
}
