/** Constants of their own, so that the page starts without the other limits. */
export const LIST_MAX = 200;
export const SEARCH_QUERY_MAX = 200;

export interface Thread {
  id: number;
  title: string;
  userId: number | null;
  modelId: string | null;
  createdAt: string;
  updatedAt: string;
  /** Whether a generation is running in this thread. */
  streaming: boolean;
}

export interface UpdateThreadRequest {
  title?: string;
  activeLeafId?: number;
}
