import type { ErrorBody, ErrorParams, FieldError, FileNotice, MessageNotice } from '@tanya/contract';
import { shownLanguage } from './load-texts';
import { findText } from './translate';

/** An error of an answer, of a message, or of the page itself. */
interface Reported {
  code: string;
  message: string;
  params?: ErrorParams;
  details?: ErrorBody['details'];
}

/**
 * The sentence of an error in the language of the page. `spec` shows the server's own, and so does `en` where the server
 * gives no reason: its sentences are English except for some that have one.
 */
export function sentenceOf({ code, message, params, details }: Reported): string {
  if (Array.isArray(details)) return details[0] ? fieldSentence(details[0]) : sentence(message, code);
  const values = params ?? details?.params;
  return sentence(message, code, values?.['reason'], values);
}

export const fieldSentence = ({ message, code, params }: FieldError): string =>
  sentence(message, 'invalid', code, params);

/** The remarks about an answer or a file: from the codes of the notices, or the server's sentence where they are absent. */
export function noticeText(
  notices: readonly (MessageNotice | FileNotice)[] | undefined,
  notice: string | null,
): string | null {
  if (!notices?.length || shownLanguage() === 'spec') return notice;
  const texts = notices.map(({ code, params }) => findText(`notices.${code}`, params));
  return texts.includes(null) ? notice : texts.join(' ');
}

function sentence(message: string, code: string, reason?: string | number, values?: ErrorParams): string {
  if (shownLanguage() === 'spec') return message;
  const exact = findText(`reasons.${code}.${reason ?? ''}`, values);
  return exact ?? (shownLanguage() === 'en' ? null : findText(`errors.${code}`, values)) ?? message;
}
