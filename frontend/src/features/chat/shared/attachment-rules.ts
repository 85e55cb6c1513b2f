import { DOCUMENT_EXTENSIONS, IMAGE_TYPES, LIMITS, TEXTS } from '@tanya/contract';
import { errorText, hasCode } from '../../../app/api/api-error';
import type { UploadedFile } from '../../../app/state/composer-store';
import type { Notice } from '../../../components/feedback/notify';

export type AttachmentKind = UploadedFile['kind'];

export interface AttachmentVerdict {
  kind: AttachmentKind;
  /** Why it can't be attached. */
  refusal?: string;
  /** What the user should know although it can. */
  warning?: string;
}

/** What is known of a file before it is read. */
interface Judged {
  name: string;
  type: string;
  size: number;
}

const MEGABYTE = 1024 * 1024;

export const UNUSUAL_DOCUMENT = 'This type of file may not be analysed well.';
export const AUDIO_TOO_LARGE = `Audio too large. Please select a file under ${LIMITS.audioBytes / MEGABYTE}MB.`;
const UNREADABLE_FILE = 'It could not be read. Of a folder, choose the files in it.';
export const EMPTY_FILE = 'This file is empty. Please choose another one.';

/** Named as a picture, whatever the browser takes it for: nobody means such a file as a document. */
const IMAGE_NAME = /\.(jpe?g|png|gif|webp|svg|bmp|tiff?|hei[cf]|avif)$/i;

/** Judges a file before a byte of it is sent; the server judges again by content. */
export function judgeFile(file: Judged): AttachmentVerdict {
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

/** Files that were chosen in one go, as far as a message can carry them: the first of each kind. */
export interface Choice<F> {
  taken: { file: F; kind: AttachmentKind; warning?: string }[];
  /** What to say of the others, or of what they take the place of. */
  notice?: Notice;
}

export const ONE_OF_EACH = 'A message carries one image, one audio file and one document.';

/** What is attached already makes room for a file of its kind. */
export function chooseFiles<F extends Judged>(
  files: readonly F[],
  attached: readonly Pick<UploadedFile, 'kind' | 'name'>[],
): Choice<F> {
  const taken: Choice<F>['taken'] = [];
  const left: F[] = [];
  let text: string | undefined;
  for (const file of files) {
    const { kind, refusal, warning } = judgeFile(file);
    if (!refusal && !taken.some((other) => other.kind === kind)) {
      taken.push({ file, kind, ...(warning && { warning }) });
      continue;
    }
    text ??= refusal;
    left.push(file);
  }
  if (left.length > 0) {
    const description = `Not attached: ${names(left)}`;
    return { taken, notice: { title: text ?? ONE_OF_EACH, ...(files.length > 1 && { description }), kind: 'error' } };
  }
  const replaced = attached.filter(({ kind }) => taken.some((other) => other.kind === kind));
  if (replaced.length > 0) {
    return { taken, notice: { title: ONE_OF_EACH, description: `Replaced: ${names(replaced)}`, kind: 'info' } };
  }
  const warned = taken.find(({ warning }) => warning);
  if (!warned?.warning) return { taken };
  return { taken, notice: { title: warned.warning, description: warned.file.name, kind: 'info' } };
}

function names(files: readonly { name: string }[]): string {
  return files.map(({ name }) => name).join(', ');
}

function refuseImage(file: Judged): string | undefined {
  if (!file.type.startsWith('image/')) return TEXTS.files.notAnImage;
  if (!IMAGE_TYPES.includes(file.type)) return TEXTS.files.imageFormat;
  return refuseSize(file.size, LIMITS.imageBytes, TEXTS.files.imageTooLarge);
}

function refuseSize(size: number, max: number, tooLarge: string): string | undefined {
  if (size === 0) return EMPTY_FILE;
  return size > max ? tooLarge : undefined;
}

/** Why a file that may be attached could not be. */
export function uploadError(error: unknown, kind: AttachmentKind): string {
  if (error instanceof DOMException) return kind === 'image' ? TEXTS.files.imageRead : UNREADABLE_FILE;
  if (kind === 'image' && hasCode(error, 'unsupported_type')) return TEXTS.files.imageInvalid;
  if (kind === 'image' && hasCode(error, 'unreadable_file')) return TEXTS.files.imageProcess;
  return errorText(error);
}

/** A size as people say it. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < MEGABYTE) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
