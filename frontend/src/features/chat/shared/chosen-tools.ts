import type { PublicModel } from '@tanya/contract';
import type { ConversationKey } from '../client/outbox-store';

/** The tools that are switched on in each conversation of this tab. */
const chosen = new Map<ConversationKey, readonly string[]>();

export function chooseTools(conversation: ConversationKey, tools: readonly string[]): void {
  chosen.set(conversation, tools);
}

/** The tools of a send; undefined for none, and for a model that cannot call any. */
export function toolsOf(conversation: ConversationKey, { supportsTools }: PublicModel): string[] | undefined {
  const tools = supportsTools === false ? undefined : chosen.get(conversation);
  return tools?.length ? [...tools] : undefined;
}
