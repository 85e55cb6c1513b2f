import type { GenerationRegeneratePayload, GenerationStartPayload } from '@tanya/contract';
import { useStore } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from 'zustand/vanilla';
import { useShallow } from 'zustand/react/shallow';
import type { ApiErrorCode } from '../../../app/api/api-error';
import { onOwnerLeft, usePageOwner } from '../../../app/session/page-owner';
import { belongsTo, type Owner } from '../../../app/storage/owner';

/** A thread's id as text, or the name of a conversation that has no thread yet. */
export type ConversationKey = string;

/** `sending`: an ack is awaited; `waiting`: there is no connection; `failed`: the server refused it. */
export type PendingState = 'sending' | 'waiting' | 'failed';

export type PendingRequest =
  | { event: 'generation:start'; payload: GenerationStartPayload }
  | { event: 'generation:regenerate'; payload: GenerationRegeneratePayload };

/** Something the user sent that the server has not acknowledged. Its id makes every repetition harmless. */
export interface PendingSend {
  clientMessageId: string;
  /** Who wrote it; null where that was not known yet. */
  owner: Owner | null;
  conversation: ConversationKey;
  request: PendingRequest;
  createdAt: string;
  state: PendingState;
  /** The answer that it got; it stays until the screen shows that. */
  ackedAs?: number;
  error: { code: ApiErrorCode; message: string; retryAfter?: number } | null;
}

export interface OutboxState {
  pending: PendingSend[];
}

const STORAGE_KEY = 'tanya.outbox';

/** Kept in the tab's storage, so that a reload between pressing Send and the ack loses nothing. */
export function createOutbox(storage: () => Storage = () => sessionStorage) {
  const store = createStore<OutboxState>()(
    persist<OutboxState>(() => ({ pending: [] }), {
      name: STORAGE_KEY,
      storage: createJSONStorage(storage),
      // What was in flight when the page closed is sent again with the same id.
      merge: (persisted, fresh) => ({ pending: ((persisted as OutboxState | undefined) ?? fresh).pending.map(rested) }),
    }),
  );
  const update = (change: (pending: PendingSend[]) => PendingSend[]) =>
    store.setState(({ pending }) => ({ pending: change(pending) }));

  return {
    store,
    all: () => store.getState().pending,
    find: (id: string) => store.getState().pending.find((send) => send.clientMessageId === id),
    add: (send: PendingSend) => update((pending) => [...pending, send]),
    patch: (id: string, change: Partial<Pick<PendingSend, 'state' | 'error' | 'ackedAs'>>) =>
      update((pending) => pending.map((send) => (send.clientMessageId === id ? { ...send, ...change } : send))),
    /** What may be sent as theirs is theirs from now on. */
    claim: (owner: Owner) =>
      update((pending) => pending.map((send) => (belongsTo(owner, send.owner) ? { ...send, owner } : send))),
    removeOf: (owner: Owner) => update((pending) => pending.filter((send) => send.owner !== owner)),
    remove: (id: string) => update((pending) => pending.filter((send) => send.clientMessageId !== id)),
  };
}

function rested(send: PendingSend): PendingSend {
  return send.state === 'sending' ? { ...send, state: 'waiting' } : send;
}

export type Outbox = ReturnType<typeof createOutbox>;

export const outbox = createOutbox();

onOwnerLeft((owner) => outbox.removeOf(owner));

/** What this conversation has sent and not heard back of, without what others wrote. */
export function usePending(conversation: ConversationKey): PendingSend[] {
  const owner = usePageOwner();
  return useStore(
    outbox.store,
    useShallow(({ pending }) =>
      pending.filter((send) => send.conversation === conversation && belongsTo(owner, send.owner)),
    ),
  );
}
