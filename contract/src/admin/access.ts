/**
 * Whom something answers: everyone, premium members, or the members of groups. Guests are part of everyone alone; admins may
 * use all.
 */
export const ACCESS_MODES = ['everyone', 'premium', 'groups'] as const;
export type AccessMode = (typeof ACCESS_MODES)[number];

/** The access to a model or a tool server. */
export interface AccessRule {
  access: AccessMode;
  /** Only for `groups`; without any group admins alone have access. */
  groupIds: number[];
}

export const ACCESS_GROUPS_MAX = 200;
