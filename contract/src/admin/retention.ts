/** Longest time that can be set, in days. */
export const RETENTION_DAYS_MAX = 36_500;

/** Days that a shortening waits, so that people can export or pin what they need. */
export const RETENTION_NOTICE_DAYS = 7;

/** Days without a message after which threads are deleted; null keeps them. */
export interface RetentionRules {
  guest: number | null;
  free: number | null;
  premium: number | null;
  /** Whether pinned threads stay. */
  exemptPinned: boolean;
}

/** `GET` and `PUT /api/admin/retention`: the rules as they were set last. */
export interface Retention extends RetentionRules {
  /** When they hold, ISO; null when they hold already. What lengthens holds at once. */
  effectiveAt: string | null;
  /** The rules that hold now. */
  inForce: RetentionRules;
}

/** Omitted fields keep their value. */
export interface UpdateRetentionRequest extends Partial<RetentionRules> {
  /** Answers what the rules would delete if they held now, and changes nothing. */
  dryRun?: boolean;
}

/** What rules would delete now. */
export interface RetentionPreview {
  threads: number;
  messages: number;
  files: number;
  bytes: number;
  /** The last message of the oldest of the threads, ISO; null without threads. */
  oldest: string | null;
}

/** `GET /api/user/retention`: what holds for the asker's threads. */
export interface OwnRetention {
  days: number | null;
  exemptPinned: boolean;
  /** A shorter time that begins later; null without one. */
  next: { days: number | null; exemptPinned: boolean; effectiveAt: string } | null;
}
