import { LIMITS } from '@tanya/contract';
import { isEmail } from 'class-validator';
import { hasAt, isUsername } from '../../users/username.js';

/** What a provider says of a person, from the ID token or its user info. */
export type PersonClaims = Readonly<Record<string, unknown>>;

export interface NewAccount {
  username: string;
  fullName?: string;
  email?: string;
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const textOf = (value: unknown, max: number): string =>
  typeof value === 'string'
    ? value
        .slice(0, max * 4)
        .normalize('NFC')
        .replace(UNSEEN, '')
        .trim()
        .slice(0, max)
    : '';

/** The account of a person who signs in for the first time. The username may be taken. */
export function accountOf(claims: PersonClaims): NewAccount {
  const fullName = textOf(claims['name'], LIMITS.fullName.max);
  const email = addressOf(claims);
  return {
    username: usernameOf([claims['preferred_username'], claims['email'], claims['name'], claims['nickname']]),
    ...(fullName.length >= LIMITS.fullName.min && { fullName }),
    ...(email !== null && { email }),
  };
}

/** What the person is called at the provider, for the list of the own logins. */
export function shownName(claims: PersonClaims): string | null {
  const names = [claims['email'], claims['preferred_username'], claims['name']];
  return names.map((name) => textOf(name, LIMITS.email.max)).find((name) => name !== '') ?? null;
}

/** What the provider says of the address; null where it says nothing. Some providers, as Apple's, send the word. */
export function isVerified({ email_verified: value }: PersonClaims): boolean | null {
  return value === undefined || value === null ? null : value === true || value === 'true';
}

/** null for one that the provider calls unverified. */
export function addressOf(claims: PersonClaims): string | null {
  const email = textOf(claims['email'], LIMITS.email.max + 1);
  const isUsable = email.length <= LIMITS.email.max && isEmail(email) && isVerified(claims) !== false;
  return isUsable ? email : null;
}

/** The first name that can be one here. Of an address only the part before the @ stays. */
function usernameOf(names: unknown[]): string {
  for (const name of names) {
    const username = textOf(name, LIMITS.username.max).split('@')[0]!.trim();
    if (username.length >= LIMITS.username.min && isUsername(username) && !hasAt(username)) return username;
  }
  return 'user';
}

/** A name with a suffix, for one that is taken. */
export const withSuffix = (username: string, suffix: string): string =>
  `${username.slice(0, LIMITS.username.max - suffix.length - 1)}-${suffix}`;
