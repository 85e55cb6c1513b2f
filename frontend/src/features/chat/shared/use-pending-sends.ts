import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { usePageOwner } from '../../../app/session/page-owner';
import { belongsTo } from '../../../app/storage/owner';
import { type ConversationKey, outbox, type PendingSend } from '../client/outbox-store';

/** The unacknowledged sends of a conversation that the current owner may see. */
export function usePendingSends(conversation: ConversationKey): PendingSend[] {
  const owner = usePageOwner();
  return useStore(
    outbox.store,
    useShallow(({ pending }) =>
      pending.filter((send) => send.conversation === conversation && belongsTo(owner, send.owner)),
    ),
  );
}
