export interface StoredFile {
  /** UUID. */
  id: string;
  /** `/api/files/{id}` */
  url: string;
  name: string;
  type: string;
  /** Bytes. */
  size: number;
  /** Set when the text of a document could not be read for the model. */
  notice?: string;
}
