import type { ConnectionFailure, ConnectionFault } from '@tanya/contract';
import { shownLanguage } from '../../../app/i18n/load-texts';
import { findText } from '../../../app/i18n/translate';

/** The result of a test of a connection or of a search service. `message` is the server's sentence, in English. */
export type TestOutcome =
  | { ok: true; message: string; ms: number; models?: number; results?: number }
  | { ok: false; message: string; ms: number; fault: ConnectionFault; status?: number };

/** The faults of the error codes that a connection stores. */
const FAULTS: Record<string, ConnectionFault> = {
  provider_auth: 'unauthorized',
  provider_credit: 'no_credit',
  provider_busy: 'rate_limited',
  provider_unreachable: 'unreachable',
  timeout_first_token: 'timeout',
  timeout_idle: 'timeout',
};

/** The sentence of a test's result. English shows the server's own, which can name a host or an option. */
export function outcomeSentence(outcome: TestOutcome): string {
  if (shownLanguage() !== 'id') return outcome.message;
  return (outcome.ok ? successText(outcome) : faultText(outcome.fault, outcome.status)) ?? outcome.message;
}

export function failureSentence({ code, message }: Pick<ConnectionFailure, 'code' | 'message'>): string {
  return faultSentence(FAULTS[code] ?? 'http_error', message);
}

/** The sentence of a fault, or the server's own in English. */
export function faultSentence(fault: ConnectionFault, message: string): string {
  return shownLanguage() === 'id' ? (faultText(fault) ?? message) : message;
}

function successText({ models, results }: TestOutcome & { ok: true }): string | null {
  if (models !== undefined) return findText('testResults.models', { count: models });
  return findText(results === 0 ? 'testResults.noResults' : 'testResults.results');
}

function faultText(fault: ConnectionFault, status?: number): string | null {
  const withStatus = status === undefined ? null : findText(`faults.${fault}_status`, { status });
  return withStatus ?? findText(`faults.${fault}`);
}
