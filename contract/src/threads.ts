/** Constants of their own, so that the page starts without the other limits. */
export const LIST_MAX = 200;
export const THREAD_BATCH_MAX = 200;
export const SEARCH_QUERY_MAX = 200;

/** What a model wrote of the earlier messages of a thread, which its prompts have in their place. */
export interface ThreadSummary {
  text: string;
  /** The last message that it covers. */
  upToMessageId: number;
  /** Tokens of the prompt without it and with it, estimated. */
  tokensBefore: number;
  tokensAfter: number;
  /** Decimal string in USD; null when unknown. */
  costUsd: string | null;
}

export interface Thread {
  id: number;
  title: string;
  userId: number | null;
  modelId: string | null;
  createdAt: string;
  updatedAt: string;
  /** Whether a generation is running in this thread. */
  streaming: boolean;
  /** Whether an answer of this thread waits for the user's approval; otherwise absent. */
  waiting?: boolean;
  /** Pinned threads precede the others in the list. */
  isPinned: boolean;
  /** Archived threads have a list of their own. A new turn takes a thread out of the archive. */
  isArchived: boolean;
  /** Until when a thread of the trash can be restored; only in the list of the trash. */
  restorableUntil?: string;
  /** Names of the tools that are switched on in this thread. Some may no longer be available. */
  tools: string[];
  /** Whether the account's custom instructions apply to this thread; null follows the account's choice. */
  useInstructions: boolean | null;
  /** Whether a summary stands for earlier messages in prompts, on one path at least; otherwise absent. */
  hasSummary?: boolean;
  /** The project whose instructions and files its answers use; null for none. */
  projectId: number | null;
  /** Whether the thread is in no list, search, share or export and ends a day after its last message; otherwise absent. */
  temporary?: boolean;
  /** When a temporary thread ends. */
  expiresAt?: string;
}

/**
 * Values of `GET /api/chat/threads?state=`. Without it the list has the threads that are not archived. `waiting` lists those
 * whose answer waits for the user's approval, archived ones too.
 */
export const THREAD_STATES = ['archived', 'waiting', 'trash'] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

/** Omitted fields keep their value. Archiving a thread unpins it, pinning takes it out of the archive. */
export interface UpdateThreadRequest {
  title?: string;
  activeLeafId?: number;
  /** The tools that are switched on from now on. */
  tools?: string[];
  isPinned?: boolean;
  isArchived?: boolean;
  useInstructions?: boolean;
  /** null takes the thread out of its project. */
  projectId?: number | null;
  /** Keeps a temporary thread. */
  temporary?: false;
}

/** The answer to a deletion. */
export interface ThreadTrashed {
  /** Until when `POST /api/chat/threads/{id}/restore` takes the deletion back. */
  restorableUntil: string;
}

export const THREAD_ACTIONS = ['pin', 'unpin', 'archive', 'unarchive', 'delete', 'restore'] as const;
export type ThreadAction = (typeof THREAD_ACTIONS)[number];

/** `POST /api/chat/threads/batch`: one action on several threads. */
export interface ThreadBatchRequest {
  action: ThreadAction;
  ids: number[];
}

export interface ThreadBatchResult {
  /** The threads that the action changed. */
  ids: number[];
  /** The other threads. Each was not found, or a new answer kept it busy. */
  skipped: { id: number; code: 'not_found' | 'thread_busy' }[];
  /** After a deletion: until when it can be taken back. */
  restorableUntil?: string;
}

export interface SearchResult {
  thread: Thread;
  /** A message that contains the words, the newest one if possible; null when only the title matches. */
  match: SearchMatch | null;
}

export interface SearchMatch {
  messageId: number;
  isUserMessage: boolean;
  createdAt: string;
  /** The line of the message with the most of the words, shortened around the first one. */
  line: string;
}
