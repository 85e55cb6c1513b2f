/** Version of the layout of an archive. */
export const DATA_EXPORT_SCHEMA = 1;

export type DataExportState = 'running' | 'done' | 'failed';

/** What `POST /api/user/export` answers. */
export interface DataExportStarted {
  id: string;
}

/** `GET /api/user/export/{id}`; `GET /api/user/exports` lists those of the last day. */
export interface DataExport {
  id: string;
  state: DataExportState;
  /** 0 to 1. */
  progress: number;
  /** Size of the archive; so far while it is written. */
  bytes: number;
  createdAt: string;
  /** Until when the archive can be downloaded, ISO; null before it is done. */
  expiresAt: string | null;
}
