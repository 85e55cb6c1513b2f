import type { User } from '@tanya/contract';
import type { UserEntity } from './user.entity.js';

export const toUser = (user: UserEntity): User => ({
  id: user.id,
  username: user.username,
  fullName: user.fullName,
  email: user.email,
  phoneNumber: user.phoneNumber,
  isPremium: user.isPremium,
  isAdmin: user.isAdmin,
  messageCount: user.messageCount,
  hasTotp: user.hasTotp,
  language: user.language,
  ...(user.mustChangePassword && { mustChangePassword: true }),
});
