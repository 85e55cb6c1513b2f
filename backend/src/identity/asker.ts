import './identity.js';
import type { IncomingMessage } from 'node:http';

export interface AskerFields {
  asker: 'guest' | 'member' | 'admin' | 'nobody';
  userId?: number;
}

/** Log fields that identify the client of a request. */
export function askerFields({ identity }: IncomingMessage): AskerFields {
  if (identity === undefined) return { asker: 'nobody' };
  if (identity.userId === null) return { asker: 'guest' };
  return { asker: identity.isAdmin ? 'admin' : 'member', userId: identity.userId };
}
