import type { GenerationError } from './errors.js';
import type { MessageStatus } from './generation.js';
import type { Quota } from './quota.js';

export interface Thread {
  id: number;
  title: string;
  userId: number | null;
  modelId: string | null;
  createdAt: string;
  updatedAt: string;
  /** Whether an answer is being written in it right now. */
  streaming: boolean;
}

export interface Message {
  id: number;
  threadId: number;
  parentId: number | null;
  /** Plain text, or the JSON string of a MessageContent when there is more than text. */
  content: string;
  isUserMessage: boolean;
  createdAt: string;
  status: MessageStatus;
  modelId: string | null;
  /** What the model thought aloud before it answered. */
  reasoning: string | null;
  /** The generation that wrote or is writing this AI message; null for the user's. */
  generationId: string | null;
  /** Why it is `error` or `interrupted`. */
  error: GenerationError | null;
  /** What the reader should know of this answer: what was left out, or that it was cut. */
  notice: string | null;
  /** Ids of the versions at this place in the tree, itself included, oldest first. */
  siblingIds: number[];
}

/** What the composer sends; files are references to `/api/files/…` (or data URLs on `POST /api/chat/message`). */
export interface OutgoingMessage {
  text: string;
  imageData?: string;
  audioData?: string;
  fileUrl?: string;
  fileName?: string;
  fileType?: string;
  /** Bytes of the document. */
  fileSize?: number;
  hasCode?: boolean;
}

/** The JSON inside `Message.content` when it is more than text. */
export interface MessageContent extends Partial<OutgoingMessage> {
  text: string;
  type?: 'image_generation';
  imageUrl?: string;
}

export interface SendMessageRequest {
  /** Plain text, or the JSON string of an OutgoingMessage. */
  content: string;
  threadId?: number | null;
  model?: string;
  /** Makes the call safe to repeat. */
  clientMessageId?: string;
  /** Accepted and ignored: the server counts by itself. */
  guestUsage?: number;
}

export interface SendMessageResponse {
  threadId: number;
  userMessage: Message;
  aiMessage: Message;
  /** The answer's text. */
  aiResponse: string;
  quota: Quota;
}

export interface UpdateThreadRequest {
  title?: string;
  activeLeafId?: number;
}
