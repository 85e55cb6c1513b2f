import type { Message } from '@tanya/contract';
import type { AnswerPart } from '../../messages/stored-parts.js';

export type PathMessage = Pick<Message, 'content' | 'isUserMessage'> & {
  id: number;
  parts?: AnswerPart[];
  isComplete: boolean;
  /** Tokens of its prompt and of itself, as the provider counted them; null when unknown. */
  contextTokens: number | null;
  /** Tokens of the prompt at which a summary up to here was undone; null without one. */
  undoneAt: number | null;
};

/** What a prompt has of a conversation. */
export interface PromptPath {
  /** Newest first. */
  rows: PathMessage[];
  /** What stands for the messages before them; null for none. */
  summary: string | null;
  /** Messages before them for which nothing stands, since they exceed the bounds of a path. */
  unread?: number;
}
