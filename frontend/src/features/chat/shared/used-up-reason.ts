import type { User } from '@tanya/contract';
import type { PlainTextKey } from '../../../texts/catalogue';

export function usedUpReason(user: User | null | undefined): PlainTextKey {
  if (!user) return 'exhausted.guest';
  if (user.isAdmin) return 'exhausted.admin';
  return user.isPremium ? 'exhausted.premium' : 'exhausted.free';
}
