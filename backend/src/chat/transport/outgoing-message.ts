import type { OutgoingMessage } from '@tanya/contract';
import { cleanFileName, fileIdOf } from '../../files/file-name.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { toStorableText } from '../../platform/json/storable-json.js';

/**
 * Checks a message from a transport: it must not be empty, and its attachments must be uploaded files.
 * @throws AppError `invalid`
 */
export function requireContent(content: OutgoingMessage): OutgoingMessage {
  const cleaned: OutgoingMessage = { ...content, text: toStorableText(content.text) };
  if (cleaned.fileName !== undefined) cleaned.fileName = cleanFileName(cleaned.fileName);
  const urls = [cleaned.imageData, cleaned.audioData, cleaned.fileUrl].filter(Boolean);
  const isEmpty = cleaned.text.trim() === '' && urls.length === 0 && !cleaned.attachments?.length;
  if (isEmpty) throw invalidField('content.text', 'The message is empty');
  for (const url of urls) {
    if (!url?.startsWith('/api/files/') || fileIdOf(url) === null)
      throw invalidField('content', 'Attachments must be uploaded files');
  }
  return cleaned;
}
