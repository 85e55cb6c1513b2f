import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { LIMITS, TEXTS } from '@tanya/contract';
import busboy from 'busboy';
import { AppError, invalidField } from '../platform/errors/app-error.js';
import type { FileClaim } from './file-inspection.js';
import type { Staging } from './staging.js';

export interface Upload extends FileClaim {
  /** Where it lies for now; whoever takes it removes it. */
  path: string;
}

/** The form around the file: boundaries, headers, a field or two. */
const FORM_BYTES = 64 * 1024;

const FIELDS = 10;

const noFile = () => invalidField('file', 'Send exactly one file in the field "file".');

const limitOf = (type: string) => (type.startsWith('image/') ? LIMITS.imageBytes : LIMITS.documentBytes);

const tooLarge = (type: string) =>
  new AppError('too_large', {
    message: type.startsWith('image/') ? TEXTS.files.imageTooLarge : TEXTS.files.documentTooLarge,
  });

function openForm(request: IncomingMessage): busboy.Busboy {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new AppError('unsupported_type');
  if (Number(request.headers['content-length'] ?? 0) > LIMITS.documentBytes + FORM_BYTES) throw tooLarge('');
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { files: 1, fields: FIELDS, parts: FIELDS + 1, fieldSize: 1024, fieldNameSize: 100, headerPairs: 20 },
    });
  } catch (error) {
    throw new AppError('invalid', { cause: error });
  }
}

/** The three characters that browsers escape in the names of a form. */
const unescapeName = (name: string) => name.replace(/%(?:0A|0D|22)/gi, (escape) => decodeURIComponent(escape));

async function stage(staging: Staging, stream: Readable, claim: FileClaim): Promise<Upload> {
  const path = await staging.write(stream, limitOf(claim.type), () => tooLarge(claim.type));
  return { ...claim, path };
}

/** Feeds the request to the form until it is read, it is refused or the sender is gone. */
async function read(request: IncomingMessage, form: busboy.Busboy): Promise<void> {
  const abandoned = () => {
    if (!request.complete) form.destroy(new AppError('invalid', { message: 'The upload broke off.' }));
  };
  request.once('close', abandoned);
  try {
    await new Promise<void>((resolve, reject) => {
      form.once('close', resolve).on('error', reject);
      // Gone before anybody listened: it will not say so again.
      if (request.destroyed) abandoned();
      else request.pipe(form);
    });
  } finally {
    request.unpipe(form);
    request.off('close', abandoned);
  }
}

/**
 * Reads a form with exactly one file, straight to disk and no further than its limit. Whatever goes wrong, nothing of
 * it stays there.
 */
export async function receiveUpload(request: IncomingMessage, staging: Staging): Promise<Upload> {
  const form = openForm(request);
  const uploads: Promise<Upload>[] = [];
  form.on('file', (field, stream, { filename, mimeType }) => {
    // Whatever reads it hears of an error by itself; unheard in between, it would end the process.
    stream.on('error', () => undefined);
    if (field !== 'file' || uploads.length > 0) {
      stream.resume();
      form.destroy(noFile());
      return;
    }
    const upload = stage(staging, stream, { name: unescapeName(filename ?? ''), type: mimeType });
    upload.catch((error: Error) => form.destroy(error));
    uploads.push(upload);
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    form.on(limit, () => form.destroy(noFile()));
  try {
    await read(request, form);
    const [upload] = await Promise.all(uploads);
    if (upload === undefined) throw noFile();
    return upload;
  } catch (error) {
    for (const upload of uploads) await dropStaged(upload, staging);
    throw isNamed(error) ? error : new AppError('invalid', { cause: error });
  }
}

async function dropStaged(upload: Promise<Upload>, staging: Staging): Promise<void> {
  const staged = await upload.catch(() => null);
  if (staged !== null) await staging.remove(staged.path);
}

/** Ours, or the disk's; everything else is the parser's complaint about a malformed form. */
const isNamed = (error: unknown) =>
  error instanceof AppError || typeof (error as NodeJS.ErrnoException).errno === 'number';
