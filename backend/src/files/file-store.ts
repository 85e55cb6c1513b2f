import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Env } from '../config/env.js';
import { DiskFileStore } from './disk-file-store.js';

export const FILE_STORE = Symbol('FILE_STORE');

/** Both ends are part of it. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredBytes {
  id: string;
  modifiedAt: Date;
}

/**
 * Where the bytes of files lie, under ids of ours: no name that anybody typed reaches it. A folder or a bucket prefix
 * belongs to one installation, since bytes that its database does not know are swept.
 */
export interface FileStore {
  /** Stores what lies at `path`, whole or not at all, and may take that file away. */
  put(id: string, path: string): Promise<void>;
  /**
   * All of it, or a part that lies within it.
   * @throws AppError `not_found`
   */
  read(id: string, range?: ByteRange): Promise<Readable>;
  /** What is absent counts as deleted. */
  delete(id: string): Promise<void>;
  list(): AsyncIterable<StoredBytes>;
}

export const filesFolder = (env: Pick<Env, 'dataDir'>): string => join(env.dataDir, 'files');

/** The store of this installation. The S3 client is loaded only where it is used. */
export async function openFileStore(env: Pick<Env, 'dataDir' | 'filesUrl'>): Promise<FileStore> {
  if (env.filesUrl === null) return new DiskFileStore(filesFolder(env));
  const { S3FileStore } = await import('./s3-file-store.js');
  return S3FileStore.open(env.filesUrl);
}
