import type { Owner } from '../../../app/storage/owner';
import { readStoredJson, writeStored } from '../../../app/storage/stored';

/** Model ids that an owner prefers, stored in this browser. */
export interface ModelPreferences {
  /** The model that was picked last: that of the next new conversation. */
  last?: string;
  favourites: readonly string[];
}

/** The stored preferences. A stored value of another form counts as none. */
export function readModelPreferences(owner: Owner | null): ModelPreferences {
  const { last, favourites } = readStoredJson<Record<string, unknown>>(keyOf(owner)) ?? {};
  return {
    ...(typeof last === 'string' && { last }),
    favourites: Array.isArray(favourites) ? favourites.filter((id) => typeof id === 'string') : [],
  };
}

export function writeModelPreferences(owner: Owner | null, change: Partial<ModelPreferences>): void {
  if (owner === null) return;
  writeStored(keyOf(owner), JSON.stringify({ ...readModelPreferences(owner), ...change }));
}

/** Apart from the drafts, which a logout removes. */
function keyOf(owner: Owner | null): string {
  return `tanya.models.${owner}`;
}
