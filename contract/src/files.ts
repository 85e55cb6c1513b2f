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
