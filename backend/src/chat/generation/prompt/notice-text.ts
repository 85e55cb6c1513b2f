import { MESSAGE_NOTICES, type MessageNotice } from '@tanya/contract';
import { formatSentence } from '../../../platform/errors/sentences.js';

/** Remarks with this end are joined: "Your message was cut to fit the model; a document was cut to fit the model." */
const TO_FIT = ' to fit the model.';

/** The English text of remarks about an answer, in the order given; null without any. */
export function noticeText(notices: readonly MessageNotice[]): string | null {
  const sentences: string[] = [];
  let fit: number | null = null;
  for (const { code, params } of notices) {
    const sentence = formatSentence(MESSAGE_NOTICES[code], params);
    if (!sentence.endsWith(TO_FIT) || fit === null) {
      if (sentence.endsWith(TO_FIT)) fit = sentences.length;
      sentences.push(sentence);
    } else {
      const clause = sentence[0]!.toLowerCase() + sentence.slice(1);
      sentences[fit] = `${sentences[fit]!.slice(0, -1)}; ${clause}`;
    }
  }
  return sentences.join(' ') || null;
}
