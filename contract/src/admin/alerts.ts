import type { ConnectionFault } from './connections.js';

/** What the installation tells its administrators. */
export const ALERT_KINDS = [
  'budget_near',
  'budget_spent',
  'connection_failing',
  'connection_recovered',
  'registrations_waiting',
  'tools_changed',
  'backup_failed',
  'retention_failed',
  'test',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** The body that a webhook receives. A client ignores kinds and details that it does not know. */
export interface Alert {
  /** The same in every repetition of the delivery. */
  id: string;
  /** When it happened, ISO; the same in every repetition. */
  at: string;
  kind: AlertKind;
  /** Title of the site. */
  site: string;
  /** The alert as a sentence. */
  text: string;
  /** Numbers and names of the sentence. They never contain what people wrote. */
  details: Record<string, string | number | string[]>;
}

/** The first attempt of a test. A failed delivery to the webhook is repeated like every other one. */
export interface AlertTestResult {
  ok: boolean;
  /** null without an address in the settings. */
  webhook: { ok: true } | { ok: false; fault: ConnectionFault; status?: number } | null;
  /** null without an address in the settings or a mail server. */
  mail: { ok: boolean } | null;
}
