import { DOCUMENT_EXTENSIONS, IMAGE_TYPES, LIMITS, TEXTS } from '@tanya/contract';

export type AttachmentKind = 'image' | 'audio' | 'document';

export interface AttachmentVerdict {
  kind: AttachmentKind;
  /** Why it can't be attached. */
  refusal?: string;
  /** What the user should know although it can. */
  warning?: string;
}

const MEGABYTE = 1024 * 1024;

export const UNUSUAL_DOCUMENT = 'This type of file may not be analysed well.';
export const AUDIO_TOO_LARGE = `Audio too large. Please select a file under ${LIMITS.audioBytes / MEGABYTE}MB.`;
export const EMPTY_FILE = 'This file is empty. Please choose another one.';

export const UNREADABLE_FILE = 'It could not be read. Of a folder, choose the files in it.';

/** What the picker of the browser offers first. */
export const ACCEPTED_FILES = [...IMAGE_TYPES, 'audio/*', ...DOCUMENT_EXTENSIONS.map((name) => `.${name}`)].join(',');

/** Named as a picture, whatever the browser takes it for: nobody means such a file as a document. */
const IMAGE_NAME = /\.(jpe?g|png|gif|webp|svg|bmp|tiff?|hei[cf]|avif)$/i;

/** Judges a file before a byte of it is sent; the server judges again by content. */
export function judgeFile(file: { name: string; type: string; size: number }): AttachmentVerdict {
  if (file.type.startsWith('image/') || IMAGE_NAME.test(file.name))
    return { kind: 'image', refusal: refuseImage(file) };
  if (file.type.startsWith('audio/')) {
    return { kind: 'audio', refusal: refuseSize(file.size, LIMITS.audioBytes, AUDIO_TOO_LARGE) };
  }
  const extension = file.name.split('.').pop()?.toLowerCase() ?? '';
  const isUsual = DOCUMENT_EXTENSIONS.includes(extension);
  return {
    kind: 'document',
    refusal: refuseSize(file.size, LIMITS.documentBytes, TEXTS.files.documentTooLarge),
    warning: isUsual ? undefined : UNUSUAL_DOCUMENT,
  };
}

function refuseImage(file: { type: string; size: number }): string | undefined {
  if (!file.type.startsWith('image/')) return TEXTS.files.notAnImage;
  if (!IMAGE_TYPES.includes(file.type)) return TEXTS.files.imageFormat;
  return refuseSize(file.size, LIMITS.imageBytes, TEXTS.files.imageTooLarge);
}

function refuseSize(size: number, max: number, tooLarge: string): string | undefined {
  if (size === 0) return EMPTY_FILE;
  return size > max ? tooLarge : undefined;
}

/** A size as people say it. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < MEGABYTE) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
