import type { SessionEndedPayload } from '@tanya/contract';
import { topic } from '../platform/bus/bus.js';
import type { Owner } from './identity.js';

/**
 * Sessions of an account ended. `sessionId` limits the message to one session, `exceptSessionId` spares one; without
 * both it means every session of the account.
 */
export const sessionEnded = topic<{
  userId: number;
  reason: SessionEndedPayload['reason'];
  exceptSessionId?: string;
  sessionId?: string;
}>('session:ended');

export const planChanged = topic<{ userId: number; isPremium: boolean }>('plan:changed');

export const profileChanged = topic<{ userId: number }>('profile:changed');

/** An API key was deleted or replaced; generations that run under it end. */
export const apiKeyEnded = topic<{ userId: number; apiKeyId: number }>('api-key:ended');

/** A socket of this owner opened on some node and receives what is published from now on. */
export const ownerListening = topic<{ owner: Owner }>('owner:listening');

/** A guest's data, running generations included, moved to an account. */
export const ownerAdopted = topic<{ from: Owner; to: Owner }>('owner:adopted');
