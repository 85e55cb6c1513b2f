import type { User } from '@tanya/contract';
import type { PlainTextKey } from '../../../texts/catalogue';

/** @param showsUpgrade whether the page offers an upgrade */
export function usedUpReason(user: User | null | undefined, showsUpgrade: boolean): PlainTextKey {
  if (!user) return showsUpgrade ? 'exhausted.guest' : 'exhausted.guestAccount';
  if (user.isAdmin) return 'exhausted.admin';
  return user.isPremium || !showsUpgrade ? 'exhausted.premium' : 'exhausted.free';
}
