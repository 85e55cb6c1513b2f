import type { OpenStatus, Thread } from '@tanya/contract';

export interface ThreadRow {
  id: number;
  title: string;
  user_id: number | null;
  model_id: string | null;
  created_at: Date;
  updated_at: Date;
  is_pinned: boolean;
  is_archived: boolean;
  use_instructions: boolean | null;
  project_id: number | null;
  is_temporary: boolean;
  expires_at: Date | null;
  open_status: OpenStatus | null;
  tools: string[];
  has_summary?: boolean;
}

export const toThread = (row: ThreadRow): Thread => ({
  id: row.id,
  title: row.title,
  userId: row.user_id,
  modelId: row.model_id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  streaming: row.open_status === 'streaming',
  ...(row.open_status === 'waiting' && { waiting: true }),
  isPinned: row.is_pinned,
  isArchived: row.is_archived,
  tools: row.tools,
  useInstructions: row.use_instructions,
  projectId: row.project_id,
  ...(row.is_temporary && { temporary: true, expiresAt: row.expires_at!.toISOString() }),
  ...(row.has_summary && { hasSummary: true }),
});
