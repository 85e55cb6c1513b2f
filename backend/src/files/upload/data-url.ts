import { AppError } from '../../platform/errors/app-error.js';

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w-]+=[^;,]*)*)(;base64)?,/i;

/** Characters before the comma of a data URL. */
const MAX_HEAD = 1_000;

export const isDataUrl = (text: string): boolean => /^data:/i.test(text);

/** @throws AppError `invalid` */
export function parseDataUrl(text: string): { type: string; bytes: Buffer } {
  const match = DATA_URL.exec(text.slice(0, MAX_HEAD));
  if (match === null) throw new AppError('invalid', { reason: 'data_url' });
  const [head, type = '', , base64] = match;
  const payload = text.slice(head.length);
  const bytes = base64 === undefined ? Buffer.from(decodePercent(payload)) : Buffer.from(payload, 'base64');
  return { type: type.toLowerCase(), bytes };
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new AppError('invalid', { reason: 'data_url', cause: error });
  }
}
