import type { ImportSource } from '@tanya/contract';
import type { TreeMessage } from './conversation-tree.js';
import type { OwnThread } from './source-conversation.js';
import type { UnreadableReason } from './unreadable-export.js';

/** A file of a message; `file` is its number for `extract`. */
export interface ReadFile {
  file: number;
  name: string;
  type: string;
  /** Its address in an export of this product, as pictures of an answer have it. */
  address?: string;
}

export interface ReadMessage extends Omit<TreeMessage, 'files'> {
  files: ReadFile[];
}

export interface ReadConversation {
  source: ImportSource;
  /** Identifies the conversation in further exports. */
  key: string;
  title: string;
  createdAt: number | null;
  updatedAt: number | null;
  isPinned: boolean;
  isArchived: boolean;
  /** Of all messages: their number, and the characters of their texts. */
  count: number;
  characters: number;
  /** The beginning of the first question; '' without one. */
  question: string;
  /** The files of all messages, each once. */
  files: ReadFile[];
  /** The first messages. The others are asked for page by page. */
  messages: ReadMessage[];
  hasMore: boolean;
  /** Position of the last message of the shown path. */
  activeLeaf: number;
  own?: OwnThread;
}

/** From the server to the reader. One request at a time. */
export type ReaderRequest =
  | { type: 'open'; path: string; nodesPath: string }
  | { type: 'next' }
  /** The next messages of the last conversation. */
  | { type: 'messages' }
  | { type: 'extract'; file: number; path: string };

export type ReaderResponse =
  | { type: 'opened' }
  | { type: 'conversation'; conversation: ReadConversation; progress: number }
  /** A conversation that cannot be imported, or a value that is none. */
  | { type: 'rejected'; title: string; reason: RejectionReason; progress: number }
  | { type: 'messages'; messages: ReadMessage[]; hasMore: boolean }
  | { type: 'end' }
  | { type: 'extracted'; isExtracted: boolean }
  | { type: 'unreadable'; reason: UnreadableReason }
  /** An error of the system, such as a full disk. */
  | { type: 'failed'; message: string };

/**
 * - `too-large`: above the bounds of one conversation.
 * - `empty`: without messages.
 * - `unrecognized`: not a conversation.
 * - `broken`: a text of an archive, which is not JSON or is damaged.
 */
export type RejectionReason = 'too-large' | 'empty' | 'unrecognized' | 'broken';
