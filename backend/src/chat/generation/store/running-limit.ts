import { AppError } from '../../../platform/errors/app-error.js';
import { type Owner, ownerUserId } from '../../../identity/identity.js';

/** Maximum of concurrent generations per owner. Waiting ones do not count. */
const MAX_RUNNING = { user: 20, guest: 3 };

export const maxRunningOf = (owner: Owner): number =>
  ownerUserId(owner) === null ? MAX_RUNNING.guest : MAX_RUNNING.user;

export const tooManyRunning = (cause?: unknown): AppError =>
  new AppError('rate_limited', { reason: 'answers', retryAfter: 2, cause });
