import { LIMITS } from '@tanya/contract';
import { refuseField } from '../platform/errors/app-error.js';
import { isForbiddenAddress } from '../platform/net/address-ranges.js';

/**
 * The form in which the address of a webhook is stored: with its path and query as they are. Null for an empty field.
 * @throws AppError `invalid` for other text, and for addresses that are never contacted
 */
export function parseWebhookUrl(field: string, given: string): string | null {
  const text = given.trim();
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol);
  if (!isWeb || url.username || url.password || url.href.length > LIMITS.webhookUrl.max)
    throw refuseField(field, 'webhook');
  // Host names are checked when the webhook is called.
  if (isForbiddenAddress(url.hostname)) throw refuseField(field, 'base_url_forbidden');
  url.hash = '';
  return url.href;
}
