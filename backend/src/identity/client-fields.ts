import './identity.js';
import type { IncomingMessage } from 'node:http';

export interface ClientFields {
  client: 'guest' | 'member' | 'admin' | 'none';
  userId?: number;
}

/** Log fields that identify the client of a request. */
export function clientFields({ identity }: IncomingMessage): ClientFields {
  if (identity === undefined) return { client: 'none' };
  if (identity.userId === null) return { client: 'guest' };
  return { client: identity.isAdmin ? 'admin' : 'member', userId: identity.userId };
}
