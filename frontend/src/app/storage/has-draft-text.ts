import { ownKey, saveDrafts, tryStorage } from './drafts';
import type { Owner } from './owner';

/** Whether an owner has a draft with text; the newest typing is stored first. */
export function hasDraftText(owner: Owner): boolean {
  saveDrafts();
  const isDraft = (key: string) => key.startsWith(ownKey(owner, '')) && /\.(\d+|new)$/.test(key);
  return (
    tryStorage(() => Object.keys(localStorage).some((key) => isDraft(key) && localStorage.getItem(key)?.trim())) ??
    false
  );
}
