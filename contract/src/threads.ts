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
