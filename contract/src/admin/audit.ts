/** The sorts of things that admins change. */
export const AUDIT_TARGETS = [
  'user',
  'model',
  'settings',
  'connection',
  'tool_server',
  'group',
  'invitation',
  'api_key',
] as const;
export type AuditTargetKind = (typeof AUDIT_TARGETS)[number];

/** Values of the changed fields by name. Secrets are masked and long values are cut. */
export type AuditValues = Record<string, unknown>;

/** One change by an admin. */
export interface AuditEntry {
  id: number;
  createdAt: string;
  /** The admin, by the name at the time of the change, and the key that the admin's program used. */
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
