import type { ImportRemark } from '@tanya/contract';
import { findText } from '../../../app/i18n/translate';

/** A remark in the language of the page; the server's sentence for a code that this page does not have. */
export const remarkText = (remark: ImportRemark | null, sentence: string | null): string | null =>
  (remark && findText(`importRemarks.${remark.code}`, remark.params)) ?? sentence;
