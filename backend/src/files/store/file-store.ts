import type { Readable } from 'node:stream';

export const FILE_STORE = Symbol('FILE_STORE');

/** Byte positions in a file, both inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredBytes {
  id: string;
  modifiedAt: Date;
}

/**
 * Store of file contents by id. User input never becomes a path or key. A folder or bucket prefix belongs to one
 * installation: the sweep deletes contents without a row in its database.
 */
export interface FileStore {
  /** Stores the file at `path`, atomically. May move the file. */
  put(id: string, path: string): Promise<void>;
  /**
   * Reads a file, or a range that lies within it.
   * @throws AppError `not_found`
   */
  read(id: string, range?: ByteRange): Promise<Readable>;
  /** Idempotent: deleting a missing file succeeds. */
  delete(id: string): Promise<void>;
  list(): AsyncIterable<StoredBytes>;
}
