import type { MessagePart } from './chat/message-parts.js';
import type { ErrorParams, GenerationError } from './errors.js';
import type { AttachmentRef, MessageAttachment } from './files.js';
import type { ReasoningEffort } from './models.js';
import type { Quota } from './quota.js';

/**
 * `streaming` and `waiting` change; the others are final. A `waiting` answer has calls that wait for the user's approval.
 */
export const MESSAGE_STATUSES = ['streaming', 'waiting', 'complete', 'stopped', 'interrupted', 'error'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];
/** Statuses of a message that is not finished. */
export type OpenStatus = 'streaming' | 'waiting';
export type TerminalStatus = Exclude<MessageStatus, OpenStatus>;

export const isOpen = (status: MessageStatus): status is OpenStatus => status === 'streaming' || status === 'waiting';

/** Codes of the remarks about an answer. */
export const NOTICE_CODES = [
  'earlier_left_out',
  'message_cut',
  'document_cut',
  'documents_cut',
  'attachments_left_out',
  'attachments_omitted',
  'attachments_too_large',
  'instructions_cut',
  'answer_cut',
  'answer_length',
  'budget_spent',
  'tools_unsupported',
  'search_unsupported',
  'search_unaffordable',
] as const;

/** A remark about an answer. For an unknown code a page shows `notice` instead. */
export interface MessageNotice {
  code: (typeof NOTICE_CODES)[number];
  params?: ErrorParams;
}

export const RATINGS = ['up', 'down'] as const;
export type Rating = (typeof RATINGS)[number];

/** The owner's rating of an answer. */
export interface MessageFeedback {
  rating: Rating;
  reason: string | null;
}

/** `PUT /api/chat/messages/{id}/feedback`. An omitted reason removes the earlier one. */
export interface FeedbackRequest {
  rating: Rating;
  reason?: string;
}

/** The ratings of one model's answers, for admins. */
export interface ModelFeedback {
  modelId: string;
  up: number;
  down: number;
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
  /**
   * The ordered parts of an AI message; absent for a user's message, and from nodes of earlier versions. `content` is its
   * text parts joined.
   */
  parts?: MessagePart[];
  /** The model's reasoning before its answer. */
  reasoning: string | null;
  /** The generation that wrote or is writing this AI message; null for a user's message. */
  generationId: string | null;
  /** Why the status is `error` or `interrupted`. */
  error: GenerationError | null;
  /** A remark about this answer, for example that earlier turns were left out or that it was cut. */
  notice: string | null;
  /** True when the built-in demo writes this AI message instead of its model; otherwise absent. */
  isDemo?: boolean;
  /** The remarks of `notice` one by one; absent on messages of earlier versions. */
  notices?: MessageNotice[];
  /** The owner's rating of this AI message; absent without one. */
  feedback?: MessageFeedback;
  /** Ids of the versions at this place in the tree, including this message, oldest first. */
  siblingIds: number[];
}

/**
 * A message of the composer. Files are `attachments`, or the older fields with one file of each kind: references to
 * `/api/files/…`, or data URLs on `POST /api/chat/message`. A file that is named in both counts once.
 */
export interface OutgoingMessage {
  text: string;
  attachments?: AttachmentRef[];
  imageData?: string;
  audioData?: string;
  fileUrl?: string;
  fileName?: string;
  fileType?: string;
  /** Size of the document in bytes. */
  fileSize?: number;
  hasCode?: boolean;
}

/**
 * The JSON inside `Message.content` when it is more than text. Beside `attachments`, the older fields name the first file
 * of each kind.
 */
export interface MessageContent extends Partial<OutgoingMessage> {
  text: string;
  attachments?: MessageAttachment[];
  type?: 'image_generation';
  imageUrl?: string;
}

export interface SendMessageRequest {
  /** Plain text, or the JSON string of an OutgoingMessage. */
  content: string;
  threadId?: number | null;
  model?: string;
  /** Idempotency key: a repeated call with it gets the first call's answer. */
  clientMessageId?: string;
  /** One of the model's `reasoningEfforts`. */
  reasoningEffort?: ReasoningEffort;
  /** Names of the tools to offer to the model; none when omitted. */
  tools?: string[];
  /** For a new thread: see `Thread.useInstructions`. Omitted, the thread follows the account. */
  useInstructions?: boolean;
  /** Accepted and ignored: the server counts guests' messages. */
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
