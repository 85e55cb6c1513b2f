import type { ContentFile } from '@tanya/contract';
import { formatDecimal } from './formats';
import { t } from './translate';

const KILOBYTE = 1024;
const MEGABYTE = KILOBYTE * 1024;

/** A file size for display, such as `2 KB`. */
export function sizeText(bytes: number): string {
  if (bytes < KILOBYTE) return `${bytes} B`;
  if (bytes < MEGABYTE) return `${Math.round(bytes / KILOBYTE)} KB`;
  return `${formatDecimal(bytes / MEGABYTE)} MB`;
}

/** The pages of a PDF, such as `12 pages, 3 as pictures`; null for other files. */
export function pagesText({ pages, pictures = 0 }: Pick<ContentFile, 'pages' | 'pictures'>): string | null {
  if (pages === undefined) return null;
  return pictures === 0 ? t('attachments.pages', { pages }) : t('attachments.pagesAsPictures', { pages, pictures });
}
