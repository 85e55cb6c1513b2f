import type { NewPassword, User } from './users.js';

/** The signed-in user of a browser, null for a guest. `GET /api/user` answers 401 instead of null. */
export interface SessionState {
  user: User | null;
  /** The account of this browser's session is suspended: `user` is null, and other calls answer 403 until a logout. */
  isSuspended?: true;
}

/** A browser that is signed in to an account, from `GET /api/user/sessions`. */
export interface AccountSession {
  id: string;
  isCurrent: boolean;
  createdAt: string;
  lastSeenAt: string;
  /** From which it signed in; null where an earlier version did not note it. */
  address: string | null;
  /** Browser and system such as `Firefox · Windows`; null where they are unknown. */
  device: string | null;
}

export interface LoginRequest {
  username: string;
  password: string;
  /** Keeps the session for 30 days; otherwise it ends with the browser session. */
  rememberMe?: boolean;
  /** TOTP or recovery code. Without it, an account with a second factor answers 401 `totp_required`. */
  code?: string;
}

/**
 * `POST /api/register` answers 403 `account_pending` when it created an account that an admin must approve first.
 */
export interface RegisterRequest {
  /** The token of an invitation link: it registers also while registration is closed, and needs no approval. */
  invitation?: string;
  fullName?: string;
  username: string;
  password: string;
  email?: string;
  phoneNumber?: string;
}

/**
 * Calls that demand the password answer 403 `reauthentication_required` without it, unless the session signed in with a
 * passkey or at an identity provider within the last five minutes.
 */
export interface ChangePasswordRequest extends NewPassword {
  currentPassword?: string;
}

/** A key on a device of a person, which logs in without name and password. */
export interface Passkey {
  id: number;
  name: string;
  createdAt: string;
  /** null before its first login. */
  lastUsedAt: string | null;
}

/** Calls that ask for the password. A session leaves it out shortly after a login by passkey or identity provider. */
export interface KnownPassword {
  password?: string;
}

/** `response` is what `navigator.credentials.create` gives, as JSON. */
export interface AddPasskeyRequest {
  name: string;
  response: object;
}

/** `response` is what `navigator.credentials.get` gives, as JSON. */
export interface PasskeyLoginRequest {
  response: object;
  /** As in `LoginRequest`. */
  rememberMe?: boolean;
  /**
   * The account that the page shows: its person only confirms who they are, and the session goes on. Passkeys and
   * sessions of other accounts are refused.
   */
  userId?: number;
}

/** `POST /api/password-reset` answers the same for known and unknown addresses. */
export interface PasswordResetRequest {
  email: string;
}

export interface ConfirmPasswordResetRequest extends NewPassword {
  /** The token of the mailed link. */
  token: string;
}

export interface EnrollTotpRequest {
  password?: string;
  /** TOTP or recovery code of the current factor; required while one is active. */
  code?: string;
}

export interface TotpEnrollment {
  /** Base32. */
  secret: string;
  /** `otpauth://` URI, shown as a QR code. */
  uri: string;
}

export interface ConfirmTotpRequest {
  /** Code of the secret that `enroll` returned. */
  code: string;
}

export interface TotpRecoveryCodes {
  /** Each replaces one TOTP code. The server stores hashes and cannot show them again. */
  recoveryCodes: string[];
}

export interface DisableTotpRequest {
  password?: string;
  /** TOTP or recovery code. */
  code: string;
}

/** A provider that people can sign in with, for the login form. */
export interface SignInProvider {
  id: number;
  label: string;
}

/** The code of an account with a second factor, after a login at a provider. */
export interface CompleteSignInRequest {
  /** TOTP or recovery code. */
  code: string;
}

/** A login at a provider that opens the account. */
export interface LinkedIdentity {
  id: number;
  label: string;
  issuer: string;
  /** The name or address of the person there, from their last sign-in; null without one. */
  name: string | null;
  createdAt: string;
  /** The last sign-in with it; null before the first one. */
  lastUsedAt: string | null;
}

/** An address of a provider that the page opens. `POST /api/logout` names one where the provider ends sessions. */
export interface ProviderAddress {
  url: string;
}

/** `POST /api/register/confirm`, with the token of a mailed link. */
export interface ConfirmEmailRequest {
  token: string;
  /**
   * Whether a person has pressed a button. Without it the link confirms only in the browser that registered: the mail
   * scanners of companies open links too.
   */
  isPressed?: boolean;
}

export interface ConfirmEmailResponse {
  isConfirmed: boolean;
}
