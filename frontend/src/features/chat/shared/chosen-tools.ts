import type { PublicModel } from '@tanya/contract';
import { conversationThreads } from '../client/conversation-thread-store';
import type { ConversationKey } from '../client/outbox-store';

/** The tools that are switched on in each conversation of this tab. */
const chosen = new Map<ConversationKey, readonly string[]>();

/** Conversations of which a message went before the list of tools had loaded. */
const unchosen = new Set<ConversationKey>();

export function chooseTools(conversation: ConversationKey, tools: readonly string[]): void {
  chosen.set(conversation, tools);
}

/** The tools of a send; undefined before the list of tools has loaded, and for a model that cannot call any. */
export function toolsOf(conversation: ConversationKey, { supportsTools }: PublicModel): string[] | undefined {
  if (!chosen.has(conversation)) unchosen.add(conversation);
  const tools = supportsTools === false ? undefined : chosen.get(conversation);
  return tools && [...tools];
}

/** Whether this thread began with a message that went before the list of tools had loaded; true once. */
export function takeUnchosen(threadId: number): boolean {
  const { threads } = conversationThreads.getState();
  const begun = [...unchosen].find((conversation) => threads[conversation] === threadId);
  return begun !== undefined && unchosen.delete(begun);
}
