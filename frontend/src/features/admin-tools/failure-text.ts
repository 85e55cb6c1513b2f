import type { ConnectionFault, ToolServer } from '@tanya/contract';
import { shownLanguage } from '../../app/i18n/load-texts';
import { findText } from '../../app/i18n/translate';

type Failure = Pick<NonNullable<ToolServer['lastError']>, 'fault' | 'message'>;

/** The sentence of a server's last failure. English shows the server's own, which can hold a status. */
export function failureText({ fault, message }: Failure): string {
  if (shownLanguage() !== 'id') return message;
  return findText(`toolServers.fault_${fault}`) ?? findText(`faults.${fault}`) ?? message;
}

/** Faults that other headers can end. Another address can end the rest. */
const OF_HEADERS: ReadonlySet<ConnectionFault> = new Set(['unauthorized', 'not_configured']);

/** The field of the dialog at which a failure is shown. */
export const fieldOf = ({ fault }: Pick<Failure, 'fault'>): 'url' | 'headers' =>
  OF_HEADERS.has(fault) ? 'headers' : 'url';
