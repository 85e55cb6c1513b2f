export const IMAGE_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

export const DOCUMENT_EXTENSIONS: readonly string[] = [
  'pdf',
  'doc',
  'docx',
  'txt',
  'md',
  'csv',
  'xls',
  'xlsx',
  'ppt',
  'pptx',
  'zip',
  'rar',
];

export interface StoredFile {
  /** UUID. */
  id: string;
  /** `/api/files/{id}` */
  url: string;
  name: string;
  type: string;
  /** Size in bytes. */
  size: number;
  /** Set when the text of a document could not be extracted. */
  notice?: string;
}
