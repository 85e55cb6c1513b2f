import { isFields } from '../../platform/json/fields.js';
import { parseAnswer } from '../../platform/json/json-text.js';
import { ProviderError } from '../provider-error.js';
import type { Transcription } from '../provider.js';
import { errorIn, isErrorPage } from './dialect/error-shape.js';
import { reportedUsage } from './reported-usage.js';
import { failureOfAnswer } from './upstream-failure.js';

interface ResponseForm {
  isJson: boolean;
  /** Content-Type of the response. */
  type: string | null;
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Checks the response of a transcription: an object with `text`, or plain text. Postgres stores no NUL.
 * @throws ProviderError for anything else, also for an error of status 200 in place of a plain text
 */
export async function relayedTranscription(text: string, { isJson, type }: ResponseForm): Promise<Transcription> {
  if (/^text\/html/i.test(type ?? '')) throw new ProviderError('provider_error', { fault: 'html' });
  const body = (text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text).replaceAll('\0', '');
  const answer = isJson || body.trimStart().startsWith('{') ? await parseAnswer(body).catch(() => null) : null;
  const hasText = isFields(answer) && typeof answer['text'] === 'string' && answer['text'] !== '';
  const error = hasText ? null : errorIn(answer);
  if (error !== null) throw failureOfAnswer(error);
  if (!isJson) {
    if (isErrorPage(body.trimStart())) throw new ProviderError('provider_error', { fault: 'html' });
    return { body, usage: null };
  }
  if (typeof answer !== 'object' || answer === null || !('text' in answer) || typeof answer.text !== 'string')
    throw new ProviderError('provider_error');
  const { usage, model } = answer as { usage?: unknown; model?: unknown };
  return { body, usage: reportedUsage(usage, model) };
}
