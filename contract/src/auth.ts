import type { User } from './users.js';

/** Who a browser is signed in as; `GET /api/user` says the same with 401 in place of null. */
export interface SessionState {
  user: User | null;
}

export interface LoginRequest {
  username: string;
  password: string;
  /** Keeps the session for 30 days instead of until the browser closes. */
  rememberMe?: boolean;
}

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
