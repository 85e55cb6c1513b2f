import type { Language } from './settings.js';

/** The signed-in user's own account. */
export interface User {
  id: number;
  username: string;
  fullName: string | null;
  email: string | null;
  phoneNumber: string | null;
  isPremium: boolean;
  isAdmin: boolean;
  messageCount: number;
  /** Whether logins need a code of the second factor (TOTP). */
  hasTotp: boolean;
  /** The chosen language of the page; null follows the site. */
  language: Language | null;
}

/** Whether a person may use premium models; null is a guest. */
export function mayUsePremium(person: Pick<User, 'isPremium' | 'isAdmin'> | null | undefined): boolean {
  return Boolean(person?.isPremium || person?.isAdmin);
}

/** A user as shown to admins. */
export interface AdminUser extends User {
  /** False while the account waits for approval; it cannot sign in until then. */
  isApproved: boolean;
  createdAt: string;
}

export interface CreateUserRequest {
  fullName?: string;
  username: string;
  password: string;
  email?: string;
  phoneNumber?: string;
  isPremium?: boolean;
  isAdmin?: boolean;
}

export interface UpdateUserRequest extends Partial<CreateUserRequest> {
  /** Approves a pending account. An approval cannot be withdrawn. */
  isApproved?: true;
}

/** A change of the own account: omitted fields keep their value. An empty full name clears it. */
export interface UpdateProfileRequest {
  fullName?: string;
  /** A new address needs `currentPassword`, because links to reset the password are sent to it. */
  email?: string;
  phoneNumber?: string;
  currentPassword?: string;
  /** null follows the site. */
  language?: Language | null;
}

export interface ResetPasswordRequest {
  newPassword: string;
}

export interface ApiKeyResponse {
  hasApiKey: boolean;
  apiKey: string | null;
}

export interface MessageCount {
  messageCount: number;
}

/** Values of `GET /api/admin/users?sort=`. */
export const USER_SORTS = ['newest', 'oldest', 'username'] as const;
export type UserSort = (typeof USER_SORTS)[number];
