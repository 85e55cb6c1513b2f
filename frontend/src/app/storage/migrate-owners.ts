import { DRAFT_PREFIX, FILES_SUFFIX, joinTexts, tryStorage } from './drafts';

/**
 * Rewrites what earlier versions of the page stored, before any other module reads it (main.tsx imports this file first):
 *
 * - `tanya.draft.new` and `tanya.draft.7` name no owner and are removed: another person may have written them.
 * - `tanya.draft.12.new` becomes `tanya.draft.user:12.new`.
 * - Sends in the outbox of this tab with the owner `12` get the owner `user:12`.
 *
 * Runs at every start, because a tab with an older page may still be open and write the old form.
 */
export function migrateOwners(): void {
  for (const key of tryStorage(() => Object.keys(localStorage)) ?? []) {
    if (key.startsWith(DRAFT_PREFIX)) tryStorage(() => migrateDraft(key));
  }
  tryStorage(migrateOutbox);
}

function migrateDraft(key: string): void {
  const rest = key.slice(DRAFT_PREFIX.length);
  if (!rest.includes('.')) return localStorage.removeItem(key);
  if (!/^\d+\./.test(rest)) return;
  const target = `${DRAFT_PREFIX}user:${rest}`;
  const current = localStorage.getItem(target);
  const old = localStorage.getItem(key) ?? '';
  localStorage.setItem(target, current === null ? old : merged(rest, current, old));
  localStorage.removeItem(key);
}

/** The value of a key that exists in both forms. The latest image is one value, so the current form wins. */
function merged(name: string, current: string, old: string): string {
  if (name.endsWith('.image')) return current;
  if (!name.endsWith(FILES_SUFFIX)) return joinTexts(current, old);
  return JSON.stringify([...(JSON.parse(current) as unknown[]), ...(JSON.parse(old) as unknown[])]);
}

function migrateOutbox(): void {
  const stored = sessionStorage.getItem('tanya.outbox');
  if (stored) sessionStorage.setItem('tanya.outbox', stored.replace(/("owner":")(\d+")/g, '$1user:$2'));
}

migrateOwners();
