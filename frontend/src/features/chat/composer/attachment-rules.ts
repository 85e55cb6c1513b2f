import { ATTACHMENTS_MAX, DOCUMENT_EXTENSIONS, IMAGE_TYPES, LIMITS } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { errorText, hasCode } from '../../../app/api/api-error';
import { IMAGE_NAME, PROGRAMS } from '../../../components/files/file-kinds';
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

/** Checks a file before the upload. The server checks the content again. */
export function checkFile(file: FileProperties): AttachmentVerdict {
  if (file.type.startsWith('image/') || IMAGE_NAME.test(file.name))
    return { kind: 'image', refusal: refuseImage(file) };
  if (file.type.startsWith('audio/')) {
    return {
      kind: 'audio',
      refusal: refuseSize(
        file.size,
        LIMITS.audioBytes,
        t('attachments.audioTooLarge', { max: LIMITS.audioBytes / MEGABYTE }),
      ),
    };
  }
  const extension = file.name.split('.').pop()?.toLowerCase() ?? '';
  const isUsual = file.type.startsWith('text/') || DOCUMENT_EXTENSIONS.includes(extension);
  return {
    kind: 'document',
    refusal: refuseSize(file.size, LIMITS.documentBytes, t('files.documentTooLarge')),
    warning: isUsual ? undefined : PROGRAMS.test(file.name) ? t('attachments.program') : t('attachments.unusual'),
  };
}

/** The files of one selection that the message can carry. */
interface FileChoice<F> {
  accepted: { file: F; kind: AttachmentKind; warning?: string }[];
  /** Names the files that were not attached or may not be analysed well. */
  notice?: Notice;
}

/** Number of file names in a notice. */
const NAMES_SHOWN = 5;

/** Chooses the files to attach: those that can be attached, in their order, while the message has room. */
export function chooseFiles<F extends FileProperties>(files: readonly F[], attached: number): FileChoice<F> {
  const accepted: FileChoice<F>['accepted'] = [];
  const refused: F[] = [];
  let reason: string | undefined;
  for (const file of files) {
    const { kind, refusal, warning } = checkFile(file);
    const hasRoom = attached + accepted.length < ATTACHMENTS_MAX;
    if (!refusal && hasRoom) {
      accepted.push({ file, kind, ...(warning && { warning }) });
      continue;
    }
    reason ??= refusal ?? t('attachments.tooMany', { max: ATTACHMENTS_MAX });
    refused.push(file);
  }
  if (reason !== undefined) {
    const description = t('attachments.refused', { names: names(refused) });
    return { accepted, notice: { title: reason, ...(files.length > 1 && { description }), kind: 'error' } };
  }
  const warned = accepted.find(({ warning }) => warning);
  if (!warned?.warning) return { accepted };
  return { accepted, notice: { title: warned.warning, description: warned.file.name, kind: 'info' } };
}

function names(files: readonly { name: string }[]): string {
  const shown = files.slice(0, NAMES_SHOWN).map(({ name }) => name);
  if (files.length > NAMES_SHOWN) shown.push(`+${files.length - NAMES_SHOWN}`);
  return shown.join(', ');
}

function refuseImage(file: FileProperties): string | undefined {
  if (!file.type.startsWith('image/')) return t('files.notAnImage');
  if (!IMAGE_TYPES.includes(file.type)) return t('files.imageFormat');
  return refuseSize(file.size, LIMITS.imageBytes, t('files.imageTooLarge'));
}

function refuseSize(size: number, max: number, tooLarge: string): string | undefined {
  if (size === 0) return t('attachments.empty');
  return size > max ? tooLarge : undefined;
}

export function uploadError(error: unknown, kind: AttachmentKind): string {
  if (error instanceof DOMException) return kind === 'image' ? t('files.imageRead') : t('attachments.unreadable');
  if (kind === 'image' && hasCode(error, 'unsupported_type')) return t('files.imageInvalid');
  if (kind === 'image' && hasCode(error, 'unreadable_file')) return t('files.imageProcess');
  return errorText(error);
}
