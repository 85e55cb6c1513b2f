import { DOCUMENT_EXTENSIONS, IMAGE_TYPES, LIMITS, TEXTS } from '@tanya/contract';
import { errorText, hasCode } from '../../../app/api/api-error';
import type { UploadedFile } from '../../../app/state/composer-store';
import type { Notice } from '../../../components/feedback/notify';

type AttachmentKind = UploadedFile['kind'];

interface AttachmentVerdict {
  kind: AttachmentKind;
  /** The reason why the file cannot be attached. */
  refusal?: string;
  /** A notice about a file that can be attached. */
  warning?: string;
}

/** The properties of a file that are available without reading it. */
interface FileProperties {
  name: string;
  type: string;
  size: number;
}

const MEGABYTE = 1024 * 1024;

export const UNUSUAL_DOCUMENT = 'This type of file may not be analysed well.';
const AUDIO_TOO_LARGE = `Audio too large. Please select a file under ${LIMITS.audioBytes / MEGABYTE}MB.`;
const UNREADABLE_FILE = 'The file could not be read. To attach a folder, choose the files in it.';
const EMPTY_FILE = 'This file is empty. Please choose another one.';

/** Files with these extensions are meant as images, even where the browser reports another type. */
const IMAGE_NAME = /\.(jpe?g|png|gif|webp|svg|bmp|tiff?|hei[cf]|avif)$/i;

/** Checks a file before the upload. The server checks the content again. */
export function checkFile(file: FileProperties): AttachmentVerdict {
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

/** The files of one selection that the message can carry: the first of each kind. */
interface FileChoice<F> {
  accepted: { file: F; kind: AttachmentKind; warning?: string }[];
  /** Names the files that were not attached, were replaced, or may not be analysed well. */
  notice?: Notice;
}

export const ONE_OF_EACH = 'A message carries one image, one audio file and one document.';

/** Chooses the files to attach. An accepted file replaces the attached file of its kind. */
export function chooseFiles<F extends FileProperties>(
  files: readonly F[],
  attached: readonly Pick<UploadedFile, 'kind' | 'name'>[],
): FileChoice<F> {
  const accepted: FileChoice<F>['accepted'] = [];
  const refused: F[] = [];
  let reason: string | undefined;
  for (const file of files) {
    const { kind, refusal, warning } = checkFile(file);
    if (!refusal && !accepted.some((other) => other.kind === kind)) {
      accepted.push({ file, kind, ...(warning && { warning }) });
      continue;
    }
    reason ??= refusal;
    refused.push(file);
  }
  if (refused.length > 0) {
    const description = `Not attached: ${names(refused)}`;
    return {
      accepted,
      notice: { title: reason ?? ONE_OF_EACH, ...(files.length > 1 && { description }), kind: 'error' },
    };
  }
  const replaced = attached.filter(({ kind }) => accepted.some((other) => other.kind === kind));
  if (replaced.length > 0) {
    return { accepted, notice: { title: ONE_OF_EACH, description: `Replaced: ${names(replaced)}`, kind: 'info' } };
  }
  const warned = accepted.find(({ warning }) => warning);
  if (!warned?.warning) return { accepted };
  return { accepted, notice: { title: warned.warning, description: warned.file.name, kind: 'info' } };
}

function names(files: readonly { name: string }[]): string {
  return files.map(({ name }) => name).join(', ');
}

function refuseImage(file: FileProperties): string | undefined {
  if (!file.type.startsWith('image/')) return TEXTS.files.notAnImage;
  if (!IMAGE_TYPES.includes(file.type)) return TEXTS.files.imageFormat;
  return refuseSize(file.size, LIMITS.imageBytes, TEXTS.files.imageTooLarge);
}

function refuseSize(size: number, max: number, tooLarge: string): string | undefined {
  if (size === 0) return EMPTY_FILE;
  return size > max ? tooLarge : undefined;
}

/** The error sentence of a failed upload. */
export function uploadError(error: unknown, kind: AttachmentKind): string {
  if (error instanceof DOMException) return kind === 'image' ? TEXTS.files.imageRead : UNREADABLE_FILE;
  if (kind === 'image' && hasCode(error, 'unsupported_type')) return TEXTS.files.imageInvalid;
  if (kind === 'image' && hasCode(error, 'unreadable_file')) return TEXTS.files.imageProcess;
  return errorText(error);
}
