/** `user:12` or `guest:<uuid>`: whom threads, files, quota and usage belong to. */
export type Owner = `user:${number}` | `guest:${string}`;

/** Who asks, read fresh for each request and socket event. */
export interface Identity {
  owner: Owner;
  /** null for a guest. */
  userId: number | null;
  isPremium: boolean;
  isAdmin: boolean;
  /** The client's address as limits count it: v4, or the /64 of a v6. */
  address: string;
}

export const userOwner = (userId: number): Owner => `user:${userId}`;

export const guestOwner = (guestId: string): Owner => `guest:${guestId}`;

export const ownerUserId = (owner: string): number | null =>
  owner.startsWith('user:') ? Number(owner.slice(5)) : null;

/** The Socket.IO room of everything that one owner may see. */
export const ownerRoom = (owner: Owner): string => `owner:${owner}`;

declare module 'http' {
  interface IncomingMessage {
    /** Set for every call that cookies identify: all of `/api` but `/api/v1`. */
    identity?: Identity;
    /** The guest that this browser is, or would be when signed out. */
    guestId?: string;
  }
}
