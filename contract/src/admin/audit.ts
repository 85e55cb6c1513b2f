/** The sorts of things that admins change, and the logins of all accounts. */
export const AUDIT_TARGETS = [
  'user',
  'model',
  'settings',
  'connection',
  'tool_server',
  'group',
  'invitation',
  'api_key',
  'login',
  'identity_provider',
  'retention',
  'backup',
] as const;
export type AuditTargetKind = (typeof AUDIT_TARGETS)[number];

/** The id of the actor of what the server did by itself; 0 is an unknown person. */
export const SYSTEM_ACTOR = -1;

/** Values of the changed fields by name. Secrets are masked and long values are cut. */
export type AuditValues = Record<string, unknown>;

/**
 * One change by an admin, or a login. A login has an `after` with its `way`, its `result` and for a failure the `reason`. The
 * failures of an address beyond 20 in an hour share one entry, `login.failures`, with their `count`.
 */
export interface AuditEntry {
  id: number;
  createdAt: string;
  /** The admin, by the name at the time of the change, and the key that the admin's program used; who logs in. 'unknown', with the id 0, where no account was found. */
  actor: { id: number; username: string; key: { id: number; name: string } | null };
  /** Address of the admin's client; the /64 network of an IPv6 address. */
  address: string;
  /** Kind of the target and the change, as in `user.update`. */
  action: string;
  /** `name` is the target's name after the change; null for the settings. */
  target: { kind: AuditTargetKind; id: number; name: string | null };
  /** null for a new target. */
  before: AuditValues | null;
  /** null for a deleted target. */
  after: AuditValues | null;
}
