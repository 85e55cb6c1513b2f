import type { ErrorBody, GenerationRegeneratePayload, GenerationStartPayload, MessageContent } from '@tanya/contract';
import { createJSONStorage, persist } from 'zustand/middleware';
import { createStore } from 'zustand/vanilla';
import type { ApiErrorCode } from '../../../app/api/api-error';
import { onOwnerLeft } from '../../../app/session/page-owner';
import { belongsTo, type Owner } from '../../../app/storage/owner';

/** A thread id as text, or a draft key for a conversation without a thread. */
export type ConversationKey = string;

/**
 * `queued`: awaits the end of an answer, or the ack of a message, in its conversation; `waiting`: awaits a connection;
 * `sending`: awaits its ack; `failed`: refused by the server or not acknowledged.
 */
export type PendingState = 'queued' | 'waiting' | 'sending' | 'failed';

export type PendingRequest =
  | { event: 'generation:start'; payload: GenerationStartPayload }
  | { event: 'generation:regenerate'; payload: GenerationRegeneratePayload };

/** Why a send failed: the error of the server, or the page's own after the last attempt. */
export interface SendError extends Pick<ErrorBody, 'message' | 'retryAfter' | 'details'> {
  code: ApiErrorCode;
}

/** A request without an ack. Its `clientMessageId` is the idempotency key of every retry. */
export interface PendingSend {
  clientMessageId: string;
  /** The owner who wrote it; null before the session is loaded. */
  owner: Owner | null;
  conversation: ConversationKey;
  request: PendingRequest;
  /** The message as it is shown before the ack; absent for another answer and in sends of earlier versions. */
  shown?: MessageContent;
  createdAt: string;
  /** The last message of the conversation when this one was written or sent; null: that of a new thread; absent if unknown. */
  after?: number | null;
  state: PendingState;
  /** Id of the AI message from the ack. The send is removed once the screen shows that message. */
  ackedAs?: number;
  error: SendError | null;
  /** A request has gone out and its answer is missing, so the server may have accepted it. */
  isUnanswered?: boolean;
}

export interface OutboxState {
  pending: PendingSend[];
}

const STORAGE_KEY = 'tanya.outbox';

/** Unacknowledged sends in the storage of the tab, so that a reload before the ack loses no message. */
export function createOutbox(storage: () => Storage = () => sessionStorage) {
  const store = createStore<OutboxState>()(
    persist<OutboxState>(() => ({ pending: [] }), {
      name: STORAGE_KEY,
      storage: createJSONStorage(storage),
      // A send that awaited its ack when the page closed is sent again with the same id.
      merge: (persisted, fresh) => ({
        pending: ((persisted as OutboxState | undefined) ?? fresh).pending.map(restored),
      }),
    }),
  );
  const update = (change: (pending: PendingSend[]) => PendingSend[]) =>
    store.setState(({ pending }) => ({ pending: change(pending) }));

  return {
    store,
    all: () => store.getState().pending,
    find: (id: string) => store.getState().pending.find((send) => send.clientMessageId === id),
    add: (send: PendingSend) => update((pending) => [...pending, send]),
    patch: (id: string, change: Partial<Pick<PendingSend, 'state' | 'error' | 'ackedAs' | 'isUnanswered' | 'after'>>) =>
      update((pending) => pending.map((send) => (send.clientMessageId === id ? { ...send, ...change } : send))),
    /** Assigns the sends that belong to the owner, such as those of the guest before a login, to the owner. */
    claim: (owner: Owner) =>
      update((pending) => pending.map((send) => (belongsTo(owner, send.owner) ? { ...send, owner } : send))),
    /** Moves the other first messages of a conversation to the thread that one of them has created. */
    moveToThread: (conversation: ConversationKey, threadId: number) =>
      update((pending) =>
        pending.map((send) => (send.conversation === conversation ? inThread(send, threadId) : send)),
      ),
    removeOwnedBy: (owner: Owner) => update((pending) => pending.filter((send) => send.owner !== owner)),
    remove: (id: string) => update((pending) => pending.filter((send) => send.clientMessageId !== id)),
  };
}

function inThread(send: PendingSend, threadId: number): PendingSend {
  const { request, state, ackedAs } = send;
  // A request that has gone out, or was accepted, keeps its conversation.
  if (request.event !== 'generation:start' || state === 'sending' || ackedAs !== undefined) return send;
  // The server refuses the choices of a new thread for one that exists.
  const payload = {
    ...request.payload,
    threadId,
    useInstructions: undefined,
    temporary: undefined,
    projectId: undefined,
  };
  return { ...send, conversation: String(threadId), request: { ...request, payload } };
}

/** @param send whose field `isQueued` a page of an earlier version set in place of the state */
function restored({ isQueued, ...send }: PendingSend & { isQueued?: boolean }): PendingSend {
  if (isQueued) return { ...send, state: 'queued' };
  return send.state === 'sending' ? { ...send, state: 'waiting', isUnanswered: true } : send;
}

export type Outbox = ReturnType<typeof createOutbox>;

export const outbox = createOutbox();

/** Whether an owner has a message that the server has not accepted. */
export const hasUnsentMessages = (owner: Owner): boolean =>
  outbox
    .all()
    .some(
      (send) => belongsTo(owner, send.owner) && send.request.event === 'generation:start' && send.ackedAs === undefined,
    );

onOwnerLeft((owner) => outbox.removeOwnedBy(owner));
