import { parseAnswer } from '../../platform/json/json-text.js';
import { ProviderError } from '../provider-error.js';
import type { Transcription } from '../provider.js';
import { reportedUsage } from './reported-usage.js';

interface ResponseForm {
  isJson: boolean;
  /** Content-Type of the response. */
  type: string | null;
}

/**
 * Checks the response of a transcription: an object with `text`, or plain text. Postgres stores no NUL.
 * @throws ProviderError for anything else
 */
export async function relayedTranscription(text: string, { isJson, type }: ResponseForm): Promise<Transcription> {
  if (/^text\/html/i.test(type ?? '')) throw new ProviderError('provider_error', { fault: 'html' });
  const body = text.replaceAll('\0', '');
  if (!isJson) return { body, usage: null };
  const answer = await parseAnswer(body).catch(() => null);
  if (typeof answer !== 'object' || answer === null || !('text' in answer) || typeof answer.text !== 'string')
    throw new ProviderError('provider_error');
  const { usage, model } = answer as { usage?: unknown; model?: unknown };
  return { body, usage: reportedUsage(usage, model) };
}
