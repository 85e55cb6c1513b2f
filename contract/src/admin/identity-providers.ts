/** Bounds of identity providers. Lengths are in UTF-16 code units. */
export const IDENTITY_PROVIDER_LIMITS = {
  providers: 20,
  label: { min: 1, max: 40 },
  issuer: { max: 500 },
  clientId: { min: 1, max: 500 },
  clientSecret: { min: 1, max: 1_000 },
  scopes: { max: 500 },
  claim: { max: 200 },
  group: { max: 255 },
  secondFactorValues: { max: 500 },
} as const;

/** What a login needs beside the name and address of a person. `openid` is always asked for. */
export const DEFAULT_SCOPES = 'openid profile email';

/**
 * What happens to a person without an account here: `open` creates one, `approval` creates one that waits for an admin,
 * `linked-only` lets in only those who have linked the login to their account.
 */
export const PROVISION_MODES = ['open', 'approval', 'linked-only'] as const;
export type ProvisionMode = (typeof PROVISION_MODES)[number];

/** A provider of OpenID Connect, as shown to admins. */
export interface IdentityProvider {
  id: number;
  /** The page says “Continue with {label}”. */
  label: string;
  issuer: string;
  clientId: string;
  hasClientSecret: boolean;
  /** The stored secret cannot be read, because APP_SECRET has changed. It has to be entered again. */
  isSecretUnreadable: boolean;
  scopes: string;
  /** The claim of the ID token with a person's groups, or the path of a claim within another one, with dots. */
  groupClaim: string | null;
  /** The group whose people are admins. */
  adminGroup: string | null;
  premiumGroup: string | null;
  provision: ProvisionMode;
  /** Whether accounts with a second factor give no code after a login here. */
  trustsSecondFactor: boolean;
  /**
   * The values of `acr` or `amr` in the ID token, separated by spaces, by which it tells a login with two factors. null: each
   * of its logins is trusted to be one.
   */
  secondFactorValues: string | null;
  /** Whether the variables OIDC_… of the server define it, so that it cannot be changed here. */
  isFromEnvironment: boolean;
  /** The address of this site that has to be allowed at the provider. */
  callbackUrl: string;
  backchannelLogoutUrl: string;
  createdAt: string;
}

export interface CreateIdentityProviderRequest {
  label: string;
  /** https; http on this machine alone. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes?: string | null;
  groupClaim?: string | null;
  adminGroup?: string | null;
  premiumGroup?: string | null;
  provision: ProvisionMode;
  trustsSecondFactor?: boolean;
  secondFactorValues?: string | null;
}

/** Omitted fields keep their value. A new issuer needs the secret again. */
export type UpdateIdentityProviderRequest = Partial<CreateIdentityProviderRequest>;

export interface TestIdentityProviderRequest {
  issuer: string;
}

/** Why a provider cannot be used, with the English sentence for admins. */
export const IDENTITY_PROVIDER_FAULTS = {
  unreachable: 'The provider cannot be reached. Please check the address, and whether this server may connect to it.',
  timeout: 'The provider did not answer in time.',
  address_forbidden: 'The provider names an address that is not allowed. Only the origin of the issuer may be private.',
  issuer_mismatch: 'The provider calls itself by another issuer. Please enter the issuer exactly as it does.',
  invalid_document:
    'There is no valid description of an OpenID provider at this address. Please check the path of the issuer.',
  auth_method: 'The provider offers no way to send a client secret: basic, post or JWT.',
} as const;
export type IdentityProviderFault = keyof typeof IDENTITY_PROVIDER_FAULTS;

export type IdentityProviderTestResult =
  | { ok: true; message: string; issuer: string; endsSessions: boolean }
  | { ok: false; fault: IdentityProviderFault; message: string };
