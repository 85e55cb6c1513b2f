import type { User } from './users.js';

/** The signed-in user of a browser, null for a guest. `GET /api/user` answers 401 instead of null. */
export interface SessionState {
  user: User | null;
}

export interface LoginRequest {
  username: string;
  password: string;
  /** Keeps the session for 30 days; otherwise it ends with the browser session. */
  rememberMe?: boolean;
}

/**
 * `POST /api/register` answers 403 `account_pending` when it created an account that an admin must approve first.
 */
export interface RegisterRequest {
  fullName?: string;
  username: string;
  password: string;
  email?: string;
  phoneNumber?: string;
}

export interface ChangePasswordRequest {
  currentPassword: string;
  newPassword: string;
}

export interface DeleteAccountRequest {
  password: string;
}
