import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LIMITS } from '@tanya/contract';
import busboy from 'busboy';
import { ArrivingBody } from '../../platform/bodies/arriving-body.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { filesTooLarge } from '../../platform/errors/error-body.js';
import type { FileClaim } from '../inspection/file-inspection.js';
import type { Staging } from './staging.js';

export interface Upload extends FileClaim {
  /** Path of the staged file. The caller removes it. */
  path: string;
  /** The other fields of the form, in their order; empty without `UploadBounds.fields`. */
  fields: readonly FormField[];
}

export type FormField = readonly [name: string, value: string];

/** Allowance for the form around the file, bytes: boundaries, headers, other fields. */
const FORM_BYTES = 64 * 1024;

/** Other fields of a form that are accepted and ignored. */
const IGNORED_FIELDS = { count: 10, bytes: 1024 };

const noFile = () => invalidField('file', 'Send exactly one file in the field "file".');

export interface UploadBounds {
  /** Bytes, by the declared media type. */
  limitOf: (type: string) => number;
  /** The error of a file above its limit. */
  tooLarge: (type: string) => AppError;
  /** Number of other fields and size of each; without it they are ignored. */
  fields?: { count: number; bytes: number };
}

const limitOfAttachment = (type: string) => (type.startsWith('image/') ? LIMITS.imageBytes : LIMITS.documentBytes);

const ATTACHMENTS: UploadBounds = {
  limitOf: limitOfAttachment,
  tooLarge: (type) => filesTooLarge(type.startsWith('image/') ? 'image' : 'document', limitOfAttachment(type)),
};

function openForm(request: IncomingMessage, { limitOf, tooLarge, fields }: UploadBounds): busboy.Busboy {
  const { count, bytes } = fields ?? IGNORED_FIELDS;
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new AppError('unsupported_type');
  if (Number(request.headers['content-length'] ?? 0) > limitOf('') + FORM_BYTES) throw tooLarge('');
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { files: 1, fields: count, parts: count + 1, fieldSize: bytes, fieldNameSize: 100, headerPairs: 20 },
    });
  } catch (error) {
    throw new AppError('invalid', { cause: error });
  }
}

/** Browsers percent-encode CR, LF and the double quote in file names of forms. */
const unescapeName = (name: string) => name.replace(/%(?:0A|0D|22)/gi, (escape) => decodeURIComponent(escape));

async function stage(
  staging: Staging,
  stream: Readable,
  claim: FileClaim,
  { limitOf, tooLarge }: UploadBounds,
): Promise<Omit<Upload, 'fields'>> {
  const path = await staging.write(stream, limitOf(claim.type), () => tooLarge(claim.type));
  return { ...claim, path };
}

/** Adds the fields of a form to a list. A truncated value ends the form with an error. */
function collectFields(form: busboy.Busboy, fields: FormField[], bytes: number): void {
  form.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated) form.destroy(invalidField(name, `${name} must have at most ${bytes} bytes`));
    else fields.push([name, value]);
  });
}

/**
 * Streams the one file of a multipart form to the staging folder, up to its size limit. On any error the staged file is
 * removed.
 * @throws AppError `invalid`, `too_large` or `unsupported_type`
 */
export async function receiveUpload(
  request: IncomingMessage,
  staging: Staging,
  bounds: UploadBounds = ATTACHMENTS,
): Promise<Upload> {
  const form = openForm(request, bounds);
  const uploads: ReturnType<typeof stage>[] = [];
  const fields: FormField[] = [];
  if (bounds.fields) collectFields(form, fields, bounds.fields.bytes);
  form.on('file', (field, stream, { filename, mimeType }) => {
    // `stage` handles stream errors; without a listener an error before it would crash the process.
    stream.on('error', () => undefined);
    if (field !== 'file' || uploads.length > 0) {
      stream.resume();
      form.destroy(noFile());
      return;
    }
    const upload = stage(staging, stream, { name: unescapeName(filename ?? ''), type: mimeType }, bounds);
    upload.catch((error: Error) => form.destroy(error));
    uploads.push(upload);
  });
  for (const limit of ['partsLimit', 'filesLimit'] as const) form.on(limit, () => form.destroy(noFile()));
  form.on('fieldsLimit', () => form.destroy(new AppError('invalid', { reason: 'form_fields' })));
  try {
    await pipeline(new ArrivingBody(request).pieces(), form);
    const [upload] = await Promise.all(uploads);
    if (upload === undefined) throw noFile();
    return { ...upload, fields };
  } catch (error) {
    for (const upload of uploads) await dropStaged(upload, staging);
    throw isOwnOrDiskError(error) ? error : new AppError('invalid', { cause: error });
  }
}

async function dropStaged(upload: ReturnType<typeof stage>, staging: Staging): Promise<void> {
  const staged = await upload.catch(() => null);
  if (staged !== null) await staging.remove(staged.path);
}

/** Errors of this module and of the disk. Any other error is the parser's, about a malformed form. */
const isOwnOrDiskError = (error: unknown) =>
  error instanceof AppError || typeof (error as NodeJS.ErrnoException).errno === 'number';
