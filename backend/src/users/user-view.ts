import type { AdminUser, User } from '@tanya/contract';
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
});

export const toAdminUser = (user: UserEntity): AdminUser => ({
  ...toUser(user),
  isApproved: user.isApproved,
  isSuspended: user.isSuspended,
  quotaOverride: user.quotaOverride,
  createdAt: user.createdAt.toISOString(),
  lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
});
