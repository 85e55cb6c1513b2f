import type { StoredFile } from '@tanya/contract';
import type { FileEntity } from './file.entity.js';
import { fileUrl } from './file-name.js';

type StoredColumns = Pick<FileEntity, 'id' | 'name' | 'type' | 'size' | 'notice'>;

/** The contract's view of a file row. */
export const toStoredFile = ({ id, name, type, size, notice }: StoredColumns): StoredFile => ({
  id,
  url: fileUrl(id),
  name,
  type,
  size,
  ...(notice === null ? {} : { notice }),
});
