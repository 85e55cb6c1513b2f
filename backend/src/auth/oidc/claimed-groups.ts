import type { IDToken } from 'openid-client';

/** Groups of one person: with as many as fit into a token, their statement would hold the event loop. */
const MAX_GROUPS = 20_000;

/**
 * What an ID token says of a person's groups. `absent`: nothing; `overage`: there are too many to be listed, and they would
 * have to be asked for elsewhere.
 */
export type ClaimedGroups = ReadonlySet<string> | 'absent' | 'overage';

/** @param claim a name, or a path of names with dots, as in Keycloak's `realm_access.roles`; null where none is configured */
export function claimedGroups(token: Readonly<Record<string, unknown>> | IDToken, claim: string | null): ClaimedGroups {
  if (claim === null) return 'absent';
  const value = valueAt(token, claim);
  if (Array.isArray(value) && value.length > MAX_GROUPS) return 'overage';
  if (Array.isArray(value)) return new Set(value.filter((name) => typeof name === 'string'));
  if (typeof value === 'string') return new Set([value]);
  return isOverage(token, claim) ? 'overage' : 'absent';
}

/** A whole name comes first: names that are addresses have dots. */
function valueAt(token: object, claim: string): unknown {
  if (Object.hasOwn(token, claim)) return (token as Record<string, unknown>)[claim];
  let value: unknown = token;
  for (const name of claim.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Entra ID marks it in one of two ways; the first is OpenID Connect's for claims that are found elsewhere. */
function isOverage(token: object, claim: string): boolean {
  const { _claim_names: elsewhere, hasgroups } = token as { _claim_names?: unknown; hasgroups?: unknown };
  const isNamed = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, claim);
  return isNamed || hasgroups === true || hasgroups === 'true';
}
