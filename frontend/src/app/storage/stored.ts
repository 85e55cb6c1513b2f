/** Where a value is kept: for this browser, or for the time of the tab. */
type Place = 'browser' | 'tab';

/** A stored value; null without one, and where the browser blocks its storage. */
export function readStored(key: string, place: Place = 'browser'): string | null {
  return tryStorage(() => storageOf(place).getItem(key)) ?? null;
}

/** A value that was stored as JSON; null also for what is no JSON. */
export function readStoredJson<T>(key: string, place?: Place): T | null {
  return tryStorage(() => JSON.parse(readStored(key, place) ?? 'null') as T) ?? null;
}

/** Stores a value, or removes it with null. Without room, or where storage is blocked, it lasts until the page closes. */
export function writeStored(key: string, value: string | null, place: Place = 'browser'): void {
  tryStorage(() => (value === null ? storageOf(place).removeItem(key) : storageOf(place).setItem(key, value)));
}

export function storedKeys(): string[] {
  return tryStorage(() => Object.keys(localStorage)) ?? [];
}

const storageOf = (place: Place): Storage => (place === 'tab' ? sessionStorage : localStorage);

function tryStorage<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
