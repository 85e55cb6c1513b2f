import { tryStorage } from '../storage/drafts';
import { GUEST } from '../storage/owner';
import { onOwnerChanged, onOwnerLeft, pageOwner } from './page-owner';

/** Set while the account that this browser showed last has not logged out, so that a reload recognizes an expired session. */
const MARKER = 'tanya.signed-in';

let hasShownAccount = false;

/** Follows the accounts of this page. Call once at startup. */
export function startSessionMarker(): void {
  record();
  onOwnerChanged(record);
  onOwnerLeft(() => void tryStorage(() => localStorage.removeItem(MARKER)));
}

/** Whether a guest's page showed an account before, or the session of this browser's account ended without a logout. */
export function hasLostSession(): boolean {
  return hasShownAccount || (tryStorage(() => localStorage.getItem(MARKER)) ?? null) !== null;
}

function record(): void {
  const owner = pageOwner();
  if (owner === null || owner === GUEST) return;
  hasShownAccount = true;
  tryStorage(() => localStorage.setItem(MARKER, '1'));
}
