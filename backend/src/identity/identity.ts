import type { BudgetPeriod } from '@tanya/contract';

/** Key of the account or guest that threads, files, quota and usage belong to: `user:12` or `guest:<uuid>`. */
export type Owner = `user:${number}` | `guest:${string}`;

/**
 * Why a client may make few calls only, as the code of the error that the others answer. `unauthenticated`: a guest while
 * guests are off.
 */
export type Refusal = (typeof REFUSALS)[number];

export const REFUSALS = [
  'unauthenticated',
  'account_suspended',
  'password_change_required',
  'totp_enrollment_required',
] as const;

export const isRefusal = (code: string): code is Refusal => REFUSALS.some((refusal) => refusal === code);

/** Account or guest behind a request or socket event, read from the database each time. */
export interface Identity {
  owner: Owner;
  /** null for a guest. */
  userId: number | null;
  isPremium: boolean;
  isAdmin: boolean;
  /** The groups of members that the account is in; none for a guest. */
  groupIds: readonly number[];
  /** Messages per quota period of the account, else of its groups, in place of the plan's; -1 is unlimited, null keeps the plan's. */
  quotaOverride: number | null;
  /** USD per period of the account, else of its groups, a decimal string; negative is unlimited, absent or null keeps the plan's. */
  budgetUsd?: string | null;
  /** Absent or null follows the settings. */
  budgetPeriod?: BudgetPeriod | null;
  /** Why this client may make few calls only; absent for one who may call. `AccountGuard` checks it. */
  refusal?: Refusal;
  /** The key of a call to the public API. Absent for sessions. */
  apiKey?: KeyTerms;
  /** The key of scope `admin` of a call to `/api/admin`. Absent for sessions. */
  adminKey?: { id: number; name: string };
  /** The client's address as rate limits count it: an IPv4 address or an IPv6 /64. */
  address: string;
  /** The request; absent for an event of a socket. */
  request?: { id: string; answer?: AnswerInRequest };
}

/** What log lines and failures name of an answer, as far as it exists. */
export interface AnswerIds {
  requestId: string | undefined;
  generationId: string;
  userId: number | undefined;
  apiKeyId: number | undefined;
  modelId: string;
  connectionId: number | undefined;
}

/** The answer that a request has started. */
interface AnswerInRequest {
  readonly ids: AnswerIds;
}

/**
 * Who asks for an answer: what decides about quota, budgets, models, tools and rate limits. Unlike an `Identity` it can be
 * read again later, without the session of the request.
 */
export type Asker = Omit<Identity, 'refusal' | 'adminKey'>;

export interface KeyTerms {
  id: number;
  /** Ids of the models that the key may use; null allows all. */
  models: string[] | null;
  /** USD that the key may spend in all, a decimal string; absent or null is unlimited. */
  budgetUsd?: string | null;
  /** Absent without a rate. */
  rate?: KeyRate;
}

/** What a key may do in a minute; null is unlimited. */
export interface KeyRate {
  /** What the rate counts: the key, if an admin set a rate for it, else all keys of the account. */
  counted: { requests: string; tokens: string };
  requests: number | null;
  tokens: number | null;
}

/** The plans of limits and settings. */
export type PlanName = 'guest' | 'free' | 'premium';

export const planNameOf = ({ userId, isPremium }: Pick<Identity, 'userId' | 'isPremium'>): PlanName =>
  userId === null ? 'guest' : isPremium ? 'premium' : 'free';

/** Who has files: also a project. No identity is one: only the project gives access to them. */
export type FileOwner = Owner | `project:${number}`;

export const projectOwner = (projectId: number): FileOwner => `project:${projectId}`;

/** Owner of the usage of the site itself: what it asks models for, and no person asked. It has no quota and no identity. */
export const SITE_OWNER = 'site';

export const userOwner = (userId: number): Owner => `user:${userId}`;

export const guestOwner = (guestId: string): Owner => `guest:${guestId}`;

/**
 * Owner of what an owner has deleted and can still restore. No identity has it, so that every read by owner misses the
 * deleted rows.
 */
export const trashOf = (owner: Owner): string => `deleted:${owner}`;

/** The owner of a trash; the argument itself when it is not a trash. */
export const ownerOfTrash = (trash: string): Owner => trash.replace(/^deleted:/, '') as Owner;

export const ownerUserId = (owner: string): number | null =>
  owner.startsWith('user:') ? Number(owner.slice(5)) : null;

/** Socket.IO room that receives the events of one owner. */
export const ownerRoom = (owner: Owner): string => `owner:${owner}`;

declare module 'http' {
  interface IncomingMessage {
    /** By the cookie; on `/api/v1` the guard of API keys sets it. */
    identity?: Identity;
    /** Guest id of this browser; also set while the browser is signed in. */
    guestId?: string;
  }
}
