import type { ProviderConnection } from '@tanya/contract';

/** The list after a move to a position, as the server will return it: positions count from 1. */
export function moveTo(all: readonly ProviderConnection[], id: number, position: number): ProviderConnection[] {
  const from = all.findIndex((connection) => connection.id === id);
  const to = all.findIndex((connection) => connection.position === position);
  const row = all[from];
  if (!row || to < 0) return [...all];
  const moved = all.toSpliced(from, 1).toSpliced(to, 0, row);
  return moved.map((connection, index) => ({ ...connection, position: index + 1 }));
}
