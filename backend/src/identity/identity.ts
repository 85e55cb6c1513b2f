/** Key of the account or guest that threads, files, quota and usage belong to: `user:12` or `guest:<uuid>`. */
export type Owner = `user:${number}` | `guest:${string}`;

/** Account or guest behind a request or socket event, read from the database each time. */
export interface Identity {
  owner: Owner;
  /** null for a guest. */
  userId: number | null;
  isPremium: boolean;
  isAdmin: boolean;
  /** The account's role requires a second factor that it does not have yet; `EnrollmentGuard` refuses most calls. */
  mustEnrollTotp: boolean;
  /** The client's address as rate limits count it: an IPv4 address or an IPv6 /64. */
  address: string;
}

/** The plans of limits and settings. */
export type PlanName = 'guest' | 'free' | 'premium';

export const planNameOf = ({ userId, isPremium }: Pick<Identity, 'userId' | 'isPremium'>): PlanName =>
  userId === null ? 'guest' : isPremium ? 'premium' : 'free';

export const userOwner = (userId: number): Owner => `user:${userId}`;

export const guestOwner = (guestId: string): Owner => `guest:${guestId}`;

/**
 * Owner of what an owner has deleted and can still restore. No identity has it, so that every read by owner misses the
 * deleted rows.
 */
export const trashOf = (owner: Owner): string => `deleted:${owner}`;

/** The owner of a trash; the argument itself when it is no trash. */
export const ownerOfTrash = (trash: string): string => trash.replace(/^deleted:/, '');

export const ownerUserId = (owner: string): number | null =>
  owner.startsWith('user:') ? Number(owner.slice(5)) : null;

/** Socket.IO room that receives the events of one owner. */
export const ownerRoom = (owner: Owner): string => `owner:${owner}`;

declare module 'http' {
  interface IncomingMessage {
    /** Set for every route that identifies clients by cookie: all of `/api` except `/api/v1`. */
    identity?: Identity;
    /** Guest id of this browser; also set while the browser is signed in. */
    guestId?: string;
  }
}
