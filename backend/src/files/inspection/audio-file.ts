import { stat } from 'node:fs/promises';
import { AppError, refuseField } from '../../platform/errors/app-error.js';
import { cleanFileName, extensionOf } from '../file-name.js';
import type { FileClaim } from './file-inspection.js';
import { signatureOfFile } from './file-signature.js';

/** A staged sound or video file that a model may transcribe. */
export interface AudioFile extends FileClaim {
  path: string;
  /** Bytes. */
  size: number;
}

/** Extensions that OpenAI's clients send. They decide for content without a known signature, such as a bare MP3 frame. */
const EXTENSIONS = ['aac', 'flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'opus', 'wav', 'webm'];

const SOUND = /^(audio|video)\/|^application\/ogg$/;

/**
 * Checks that a staged file may be audio. Upstreams choose their decoder by the name, so a name without an extension gets that
 * of the content.
 * @throws AppError `invalid` for an empty file, `unsupported_type`
 */
export async function inspectAudio(path: string, claim: FileClaim): Promise<AudioFile> {
  const { size } = await stat(path);
  if (size === 0) throw refuseField('file', 'empty_file');
  const given = cleanFileName(claim.name);
  const extension = extensionOf(given);
  const found = await signatureOfFile(path);
  if (found === undefined) {
    if (!EXTENSIONS.includes(extension)) throw notSound();
    return { path, size, name: given, type: SOUND.test(claim.type) ? claim.type : 'application/octet-stream' };
  }
  const type = found.mime.split(';')[0]!;
  if (!SOUND.test(type)) throw notSound();
  return { path, size, type, name: extension === '' ? `${given}.${found.ext}` : given };
}

function notSound(): AppError {
  const params = { extensions: EXTENSIONS.join(', ') };
  return new AppError('unsupported_type', {
    reason: 'not_audio',
    params,
    details: [{ field: 'file', message: 'not audio' }],
  });
}
