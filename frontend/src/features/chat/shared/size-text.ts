import { formatDecimal } from '../../../app/i18n/formats';

const KILOBYTE = 1024;
const MEGABYTE = KILOBYTE * 1024;

/** A file size for display, such as `2 KB`. */
export function sizeText(bytes: number): string {
  if (bytes < KILOBYTE) return `${bytes} B`;
  if (bytes < MEGABYTE) return `${Math.round(bytes / KILOBYTE)} KB`;
  return `${formatDecimal(bytes / MEGABYTE)} MB`;
}
