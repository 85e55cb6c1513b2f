import { randomUUID } from 'node:crypto';
import { isFields } from '../../platform/json/fields.js';
import { parseAnswer } from '../../platform/json/json-text.js';
import { ProviderError } from '../provider-error.js';
import type { ProviderFile, Transcription } from '../provider.js';
import { errorIn, isErrorPage } from './dialect/error-shape.js';
import { reportedUsage } from './reported-usage.js';
import { failureOfAnswer } from './upstream-failure.js';

/** Escapes a name as browsers do. */
const escaped = (name: string): string =>
  name.replace(/[\r\n"]/g, (character) => (character === '"' ? '%22' : character === '\r' ? '%0D' : '%0A'));

/**
 * A multipart form whose file is streamed: `FormData` of Node and of undici hold it in memory or send no Content-Length, which
 * some servers require.
 */
export function transcriptionForm(
  fields: readonly (readonly [name: string, value: string])[],
  file: ProviderFile,
): { headers: Record<string, string>; body: AsyncIterable<Uint8Array> } {
  const boundary = `tanya-${randomUUID()}`;
  const opening = (disposition: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const values = fields.map(([name, value]) => `${opening(`name="${escaped(name)}"`)}\r\n${value}\r\n`);
  const opened = `${opening(`name="file"; filename="${escaped(file.name)}"`)}Content-Type: ${file.type}\r\n\r\n`;
  const head = Buffer.from(values.join('') + opened);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* file.open();
    yield tail;
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.size + tail.length),
    },
    body: body(),
  };
}

interface AskedFormat {
  isJson: boolean;
  /** Content-Type of the response. */
  type: string | null;
}

const BYTE_ORDER_MARK = '\ufeff';

/**
 * Checks the response of a transcription: an object with `text`, or plain text. Postgres stores no NUL.
 * @throws ProviderError for anything else, also for an error of status 200 in place of a plain text
 */
export async function relayedTranscription(text: string, { isJson, type }: AskedFormat): Promise<Transcription> {
  const body = (text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text).replaceAll('\0', '');
  // PHP calls all that a program writes HTML.
  const isPage = isErrorPage(body.trimStart()) || (/^text\/html/i.test(type ?? '') && body.trimStart().startsWith('<'));
  if (isPage) throw new ProviderError('provider_error', { fault: 'html' });
  const answer = isJson || body.trimStart().startsWith('{') ? await parseAnswer(body).catch(() => null) : null;
  const hasText = isFields(answer) && typeof answer['text'] === 'string' && answer['text'] !== '';
  const error = hasText ? null : errorIn(answer);
  if (error !== null) throw failureOfAnswer(error);
  if (!isJson) return { body, usage: null };
  if (typeof answer !== 'object' || answer === null || !('text' in answer) || typeof answer.text !== 'string')
    throw new ProviderError('provider_error');
  const { usage, model } = answer as { usage?: unknown; model?: unknown };
  return { body, usage: reportedUsage(usage, model) };
}
