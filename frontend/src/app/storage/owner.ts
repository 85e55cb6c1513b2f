import type { User } from '@tanya/contract';

/** The owner of what this browser stores: an account (`user:12`, as on the server) or the visitor without one. */
export type Owner = 'guest' | `user:${number}`;

export const GUEST: Owner = 'guest';

export function ownerOf(user: Pick<User, 'id'> | null): Owner {
  return user === null ? GUEST : `user:${user.id}`;
}

/**
 * Whether `owner` may see and send what `writer` wrote. An account takes over the guest's texts, as it takes over the
 * guest's threads. A text without a writer (null) was written before the session was known and fits every owner.
 */
export function belongsTo(owner: Owner | null, writer: Owner | null): boolean {
  return writer === owner || writer === null || (writer === GUEST && owner !== null);
}
