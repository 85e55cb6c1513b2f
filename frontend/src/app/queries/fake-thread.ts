import type { Thread } from '@tanya/contract';

export const fakeThread = (id: number, changes: Partial<Thread> = {}): Thread => ({
  id,
  title: `Thread ${id}`,
  userId: 1,
  modelId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  streaming: false,
  isPinned: false,
  isArchived: false,
  tools: [],
  useInstructions: null,
  projectId: null,
  ...changes,
});
