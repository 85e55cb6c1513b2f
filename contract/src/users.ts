import type { Budget, BudgetPeriod } from './budgets.js';
import type { ErrorCode } from './errors.js';
import type { Language } from './account/languages.js';

/** The signed-in user's own account. */
export interface User {
  id: number;
  /** True until the person chooses a new password; the other calls answer `password_change_required`. */
  mustChangePassword?: boolean;
  username: string;
  fullName: string | null;
  email: string | null;
  phoneNumber: string | null;
  isPremium: boolean;
  isAdmin: boolean;
  messageCount: number;
  /** Whether logins with the password need a code of the second factor (TOTP). */
  hasTotp: boolean;
  /** This session satisfies a required second factor without one, as it began with a passkey. */
  isTwoFactor?: true;
  /** The chosen language of the page; null follows the site. */
  language: Language | null;
}

/** Whether a person may use premium models; null is a guest. */
export function mayUsePremium(person: Pick<User, 'isPremium' | 'isAdmin'> | null | undefined): boolean {
  return Boolean(person?.isPremium || person?.isAdmin);
}

export interface AdminUser extends Omit<User, 'isTwoFactor'> {
  /** False while the account waits for approval; it cannot sign in until then. */
  isApproved: boolean;
  /** Whether logins and calls of the account are refused. */
  isSuspended: boolean;
  /** A service account: programs use it by keys that admins make. It cannot sign in and is never an admin. */
  isService: boolean;
  /** Messages used in the current quota period, as `Quota.used`. */
  quotaUsed: number;
  /** Messages per quota period in place of the plan's quota; -1 is unlimited, null keeps the plan's. */
  quotaOverride: number | null;
  groupIds: number[];
  /** Messages per quota period in effect: of the member, else of its groups, else of its plan; -1 is unlimited. */
  quotaLimit: number;
  /** USD per period in place of the plan's budget, as a decimal string; null keeps the plan's. */
  budgetUsd: string | null;
  /** null follows the settings. */
  budgetPeriod: BudgetPeriod | null;
  /** The budget in effect with its use; null without one. */
  budget: Budget | null;
  createdAt: string;
  /** Last call of a session or an API key, accurate to five minutes; null before the first. */
  lastSeenAt: string | null;
}

export interface CreateUserRequest {
  fullName?: string;
  username: string;
  /** Required but for a service account, which has none. */
  password?: string;
  email?: string;
  phoneNumber?: string;
  isPremium?: boolean;
  isAdmin?: boolean;
  /** Makes a service account, which stays one. */
  isService?: boolean;
}

export interface UpdateUserRequest extends Partial<Omit<CreateUserRequest, 'isService'>> {
  /** Approves a pending account. An approval cannot be withdrawn. */
  isApproved?: true;
  /** Ends the sessions and running answers of the account, and refuses its logins, calls and API keys. */
  isSuspended?: boolean;
  /** Refuses the calls of its sessions until the person has chosen a new password. */
  mustChangePassword?: boolean;
  quotaOverride?: number | null;
  /** USD, as a decimal string or a number. */
  budgetUsd?: string | number | null;
  budgetPeriod?: BudgetPeriod | null;
}

/** A change of the own account: omitted fields keep their value. An empty full name clears it. */
export interface UpdateProfileRequest {
  fullName?: string;
  /** A new address needs `currentPassword` or a recent sign-in, because links to reset the password are sent to it. */
  email?: string;
  phoneNumber?: string;
  currentPassword?: string;
  /** null follows the site. */
  language?: Language | null;
}

/** A new password ends the sessions of an account. */
export interface NewPassword {
  newPassword: string;
  /** Deletes the API keys of the account too, and ends their running answers. They stay by default. */
  endApiKeys?: boolean;
}

export type ResetPasswordRequest = NewPassword;

/** The single readable API key, beside the list of `ApiKey`. */
export interface ApiKeyResponse {
  hasApiKey: boolean;
  apiKey: string | null;
}

export interface MessageCount {
  messageCount: number;
}

/** Values of `GET /api/admin/users?sort=`. By `cost` of the current month, and `lastSeen`: the most and the latest first. */
export const USER_SORTS = ['newest', 'oldest', 'username', 'cost', 'lastSeen'] as const;
export type UserSort = (typeof USER_SORTS)[number];

/** Filters of `GET /api/admin/users` that are `true` or `false`; beside them `plan`, `groupId` and `query`. */
export const USER_FILTERS = ['waiting', 'suspended', 'admin', 'service'] as const;
export type UserFilter = (typeof USER_FILTERS)[number];

export const USER_BATCH_MAX = 1_000;

/** What can be changed of many accounts at once. */
export type UserBatchChanges = Pick<
  UpdateUserRequest,
  | 'isPremium'
  | 'isAdmin'
  | 'isApproved'
  | 'isSuspended'
  | 'mustChangePassword'
  | 'quotaOverride'
  | 'budgetUsd'
  | 'budgetPeriod'
>;

/** `POST /api/admin/users/batch`: each account is changed or refused by itself. */
export interface UserBatchRequest {
  ids: number[];
  changes: UserBatchChanges;
}

export interface UserBatchResponse {
  /** The ids of the accounts that were changed. */
  updated: number[];
  /** The others, unknown ids among them, with the error of each. */
  failed: { id: number; code: ErrorCode; message: string }[];
}

/** Length of each text of the custom instructions, in UTF-16 code units. */
export const INSTRUCTIONS_MAX = 1500;

/** Preferences of a member's account. `GET /api/user/preferences`; members only. */
export interface Preferences {
  /** The model that the member chose last, for new threads; null without a choice. It may no longer be available. */
  modelId: string | null;
  /** Custom instructions: facts about the member. */
  aboutMe: string;
  /** Custom instructions: how models should answer. */
  howToAnswer: string;
  /** Whether the instructions apply to threads without a choice of their own (`Thread.useInstructions`). */
  useInstructions: boolean;
}

/** The custom instructions of an account. */
export type Instructions = Pick<Preferences, 'aboutMe' | 'howToAnswer'>;

/** `PATCH /api/user/preferences`: omitted fields keep their value. */
export type UpdatePreferencesRequest = Partial<Preferences>;
