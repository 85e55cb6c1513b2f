import type { User } from '@tanya/contract';

/** A free member in tests. */
export const sari: User = {
  id: 1,
  username: 'sari',
  fullName: null,
  email: null,
  phoneNumber: null,
  isPremium: false,
  isAdmin: false,
  messageCount: 0,
};
