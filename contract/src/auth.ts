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
