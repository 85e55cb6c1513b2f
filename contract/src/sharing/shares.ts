import type { GenerationError } from '../errors.js';
import type { Message } from '../messages.js';

export interface CreateShareRequest {
  /** ISO 8601 time in the future; omitted or null, the link does not expire. */
  expiresAt?: string | null;
}

/** A share link: a snapshot of a thread's shown path, readable by every client that has its token. */
export interface Share {
  /** 256 random bits, base64url. */
  token: string;
  /** Address of the page that shows the snapshot. */
  url: string;
  createdAt: string;
  /** null for a link that does not expire. */
  expiresAt: string | null;
}

/** An entry of `GET /api/user/shares`. */
export interface OwnShare extends Share {
  title: string;
  messageCount: number;
}

/**
 * A message of a snapshot, without ids. URLs of its files are below `/api/share/{token}/files/`. The calls of tools in its
 * parts have ids of the snapshot, which are unique in it.
 */
export interface SharedMessage extends Pick<
  Message,
  | 'content'
  | 'isUserMessage'
  | 'createdAt'
  | 'status'
  | 'modelId'
  | 'parts'
  | 'reasoning'
  | 'notice'
  | 'notices'
  | 'isDemo'
> {
  error: Pick<GenerationError, 'code' | 'message' | 'retryable' | 'params'> | null;
}

/** The response of `GET /api/share/{token}`. */
export interface SharedConversation {
  title: string;
  createdAt: string;
  /** Oldest first. An answer that was unfinished at the time of the snapshot is `interrupted`. */
  messages: SharedMessage[];
}

export interface ContinueShareResponse {
  /** The new thread of the caller. */
  threadId: number;
}

/** The response of `GET /api/admin/shares`: numbers of valid links, not their contents. */
export interface ShareCounts {
  links: number;
  accounts: number;
  files: number;
  /** Size of the files in bytes. */
  fileBytes: number;
}
