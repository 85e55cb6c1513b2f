import type { MessagePart } from './chat/message-parts.js';
import type { ErrorParams, GenerationError } from './errors.js';
import type { AttachmentRef, MessageAttachment } from './files.js';
import type { ReasoningEffort } from './models/model-values.js';
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

/** The remarks about an answer: code and English sentence, in ICU MessageFormat. */
export const MESSAGE_NOTICES = {
  earlier_left_out:
    '{count, plural, one {# earlier message was} other {# earlier messages were}} left out to fit the model.',
  message_cut: 'Your message was cut to fit the model.',
  document_cut: 'A document was cut to fit the model.',
  documents_cut: '{count} documents were cut to fit the model.',
  attachments_left_out: 'Earlier attachments were left out.',
  attachments_omitted: '{count, plural, one {# attachment was} other {# attachments were}} left out to fit the model.',
  attachments_too_large: 'Some attachments were left out, because together they are too large for one message.',
  instructions_cut: 'Your custom instructions were cut to fit the model.',
  answer_cut: 'The answer was cut at {max, number} characters.',
  answer_length: 'The answer reached the length that the model allows.',
  pictures_left_out: 'The pictures of this answer cannot be shown.',
  budget_spent: 'The answer ends here, because the budget does not cover its next step.',
  tools_unsupported: 'This model does not support tools.',
  search_unsupported: 'This model cannot search the web.',
  search_unaffordable: 'The answer was written without a web search, because the budget does not cover one.',
  /** `from` and `to` are ids of models, `reason` is the code of the failure. */
  fallback:
    '{to} answered instead of {from}, {reason, select, provider_busy {which was busy} provider_credit {whose account has no credit left} provider_auth {whose key was refused} provider_unreachable {which could not be reached} provider_context {whose context is too short} timeout_first_token {which did not answer in time} timeout_idle {which did not answer in time} other {which failed}}.',
  files_being_read:
    'The answer does not use {count, plural, one {# file of the project, which is} other {# files of the project, which are}} still being read.',
  pages_without_text:
    '{count, plural, one {# page has} other {# pages have}} no text, and this model does not read images.',
  pages_left_out:
    '{count, plural, one {# page without text was} other {# pages without text were}} left out to fit the message.',
} as const;

/** A remark about an answer. For an unknown code a page shows `notice` instead. */
export interface MessageNotice {
  code: keyof typeof MESSAGE_NOTICES;
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
  /** The ordered parts of an AI message; absent for a user's message. `content` is its text parts joined. */
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
  /**
   * Ids of the versions at this place in the tree, including this message, oldest first: of more than `LIMITS.versions`,
   * those around it.
   */
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

/** What a send and another answer ask for. */
export interface AnswerOptions {
  /** One of the model's `reasoningEfforts`; omitted, the model decides, or for another answer the old one. */
  reasoningEffort?: ReasoningEffort;
  /** Names of the tools to offer to the model; none when omitted. */
  tools?: string[];
  /** Whether fallbacks of the model may answer; true by default. */
  fallback?: boolean;
}

export interface SendOptions extends AnswerOptions {
  /** For a new thread: see `Thread.useInstructions`. Omitted, the thread follows the account. */
  useInstructions?: boolean;
  /** For a new thread: its project, whose model and tools stand for omitted ones. */
  projectId?: number;
  /** For a new thread: see `Thread.temporary`. */
  temporary?: boolean;
}

export interface SendMessageRequest extends SendOptions {
  /** Plain text, or the JSON string of an OutgoingMessage. */
  content: string;
  threadId?: number | null;
  model?: string;
  /** Idempotency key: a repeated call with it gets the first call's answer. */
  clientMessageId?: string;
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
