import type { User } from '@tanya/contract';
import type { Request } from 'express';
import type { UserEntity } from '../users/user.entity.js';
import { toUser } from '../users/user-view.js';

/** The account as its page sees it in this session. */
export const sessionUser = ({ session }: Request, user: UserEntity): User => ({
  ...toUser(user),
  ...(session.isTwoFactor && { isTwoFactor: true }),
});
