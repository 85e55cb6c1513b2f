/** Days until an invitation expires, by default. */
export const INVITATION_DAYS = 7;

export const INVITATION_GROUPS_MAX = 50;

export const INVITATION_PLANS = ['free', 'premium'] as const;
export type InvitationPlan = (typeof INVITATION_PLANS)[number];

/** A link with which one account can be registered. */
export interface Invitation {
  id: number;
  /** Only an account with this address can use it; null without one. */
  email: string | null;
  plan: InvitationPlan;
  groupIds: number[];
  createdAt: string;
  expiresAt: string;
  /** null while it was not used. */
  usedAt: string | null;
  /** The account that used it; null without one. The invitation goes with it. */
  username: string | null;
}

export interface CreateInvitationRequest {
  email?: string | null;
  plan?: InvitationPlan;
  groupIds?: number[];
  /** ISO 8601, in the future and within a year. */
  expiresAt?: string | null;
}

export interface CreatedInvitation extends Invitation {
  /** The link, which cannot be shown again. */
  url: string;
}
