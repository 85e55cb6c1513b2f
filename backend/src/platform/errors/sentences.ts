import {
  type ErrorCode,
  type ErrorParams,
  type ErrorReason,
  ERROR_REASONS,
  ERRORS,
  UNNAMED_REASONS,
} from '@tanya/contract';
import { IntlMessageFormat } from 'intl-messageformat';

type Reasons = Partial<Record<ErrorCode, Record<string, string>>>;
const NAMED: Reasons = ERROR_REASONS;
const UNNAMED: Reasons = UNNAMED_REASONS;

const formats = new Map<string, IntlMessageFormat>();

/** The English text of a sentence of the contract. @param sentence in ICU MessageFormat */
export function formatSentence(sentence: string, values: ErrorParams = {}): string {
  if (!sentence.includes('{')) return sentence;
  const format = formats.get(sentence) ?? new IntlMessageFormat(sentence, 'en', undefined, { ignoreTag: true });
  formats.set(sentence, format);
  return String(format.format(values));
}

/** The sentence of an error. Without a reason it is that of the code. */
export function errorSentence(code: ErrorCode, reason: ErrorReason | undefined, params?: ErrorParams): string {
  const sentence = reason === undefined ? undefined : (NAMED[code]?.[reason] ?? UNNAMED[code]?.[reason]);
  return formatSentence(sentence ?? ERRORS[code].sentence, params);
}

export const isNamed = (code: ErrorCode, reason: ErrorReason): boolean => NAMED[code]?.[reason] !== undefined;
