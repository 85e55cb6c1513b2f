import type { StoredFile } from '@tanya/contract';
import type { FileEntity } from './file.entity.js';
import { fileUrl } from './file-name.js';

type StoredColumns = Pick<FileEntity, 'id' | 'name' | 'type' | 'size' | 'notice' | 'pages' | 'pictures'>;

/** The pages of a PDF, and those that are kept as pictures. */
export const pageCounts = ({
  pages,
  pictures,
}: Pick<FileEntity, 'pages' | 'pictures'>): Pick<StoredFile, 'pages' | 'pictures'> => ({
  ...(pages !== null && { pages }),
  ...(pictures > 0 && { pictures }),
});

/** The contract's view of a file row. */
export const toStoredFile = ({ id, name, type, size, notice, ...counts }: StoredColumns): StoredFile => ({
  id,
  url: fileUrl(id),
  name,
  type,
  size,
  ...pageCounts(counts),
  ...(notice === null ? {} : { notice }),
});
