import { join } from 'node:path';
import type { Env } from '../../config/env.js';
import { DiskFileStore } from './disk-file-store.js';
import type { FileStore } from './file-store.js';

export const filesFolder = (env: Pick<Env, 'dataDir'>): string => join(env.dataDir, 'files');

/** Opens the file store of this installation. The S3 client is loaded only when `FILES_URL` is set. */
export async function openFileStore(env: Pick<Env, 'dataDir' | 'filesUrl'>): Promise<FileStore> {
  if (env.filesUrl === null) return new DiskFileStore(filesFolder(env));
  const { S3FileStore } = await import('./s3-file-store.js');
  return S3FileStore.open(env.filesUrl);
}
