import type { Count, RateLimit } from '../platform/rate-limits/rate-limits.js';
import type { Identity } from './identity.js';

/**
 * What a call counts against: its owner, and for a guest the address too, because a new cookie makes a new guest.
 * @param ofAddress the limit of all guests of an address; by default that of one owner
 */
export const countsOf = (
  { owner, userId, address }: Pick<Identity, 'owner' | 'userId' | 'address'>,
  ofOwner: RateLimit,
  ofAddress = ofOwner,
): Count[] =>
  userId === null
    ? [
        [ofOwner, owner],
        [ofAddress, { address }],
      ]
    : [[ofOwner, owner]];
