/** Bounds of groups. Lengths are in UTF-16 code units. */
export const GROUP_LIMITS = {
  groups: 200,
  name: { min: 1, max: 60 },
  externalName: { max: 255 },
  /** Members that one call names. */
  membersOfCall: 1_000,
} as const;

/** A group of members, as shown to admins. */
export interface Group {
  id: number;
  name: string;
  /** The name of the group at an identity provider; null without one. */
  externalName: string | null;
  /** Messages per quota period of each member, in place of the plan's; -1 is unlimited, null keeps the plan's. */
  quotaOverride: number | null;
  /** USD per period of each member, in place of the plan's; `-1` is unlimited, null keeps the plan's. */
  budgetUsd: string | null;
  memberCount: number;
  createdAt: string;
}

export interface CreateGroupRequest {
  name: string;
  externalName?: string | null;
  quotaOverride?: number | null;
  /** USD, as a decimal string or a number; -1 is unlimited. */
  budgetUsd?: string | number | null;
}

/** Omitted fields keep their value. */
export type UpdateGroupRequest = Partial<CreateGroupRequest>;

/** All members of a group, by their ids. `PUT` replaces them. */
export interface GroupMembers {
  userIds: number[];
}

export interface GroupMembersView extends GroupMembers {
  /** Those whom an identity provider put into the group, which alone can take them out; absent without any. */
  provided?: { userId: number; providerId: number }[];
}

export interface ChangeGroupMembersRequest {
  add?: number[];
  remove?: number[];
}
