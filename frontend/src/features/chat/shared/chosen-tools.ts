import type { PublicModel } from '@tanya/contract';
import { effortOf } from '../../../app/storage/reasoning-efforts';
import { conversationThreads } from '../client/conversation-thread-store';
import type { ConversationKey } from '../client/outbox-store';

/** The tools that are switched on in each conversation of this tab. */
const chosen = new Map<ConversationKey, readonly string[]>();

/** Conversations of which a message went before the list of tools had loaded. */
const unchosen = new Set<ConversationKey>();

export function chooseTools(conversation: ConversationKey, tools: readonly string[]): void {
  chosen.set(conversation, tools);
}

/**
 * What a send asks for. Its tools are undefined before the list of tools has loaded, and for a model that cannot call any.
 */
export function choicesOf(conversation: ConversationKey, model: PublicModel) {
  if (!chosen.has(conversation)) unchosen.add(conversation);
  const tools = model.supportsTools === false ? undefined : chosen.get(conversation);
  return { model: model.modelId, reasoningEffort: effortOf(model), tools: tools && [...tools] };
}

/** Whether this thread began with a message that went before the list of tools had loaded; true once. */
export function takeUnchosen(threadId: number): boolean {
  const { threads } = conversationThreads.getState();
  const begun = [...unchosen].find((conversation) => threads[conversation] === threadId);
  return begun !== undefined && unchosen.delete(begun);
}
