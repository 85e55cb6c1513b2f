import type { User } from '@tanya/contract';

/** A user on the free plan, for tests. */
export const sari: User = {
  id: 1,
  username: 'sari',
  fullName: null,
  email: null,
  phoneNumber: null,
  isPremium: false,
  isAdmin: false,
  messageCount: 0,
  hasTotp: false,
  language: null,
};
