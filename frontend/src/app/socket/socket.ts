import {
  SOCKET_PATH,
  type Ack,
  type ClientEvent,
  type EventData,
  type ErrorBody,
  type EventPayload,
  type ServerToClientEvents,
  type SocketAuth,
} from '@tanya/contract';
import type { Socket } from 'socket.io-client';
import { create } from 'zustand';
import { firstCall } from '../api/api-client';
import { ApiError } from '../api/api-error';
import { isSharePage } from '../browser/share-page';
import { currentUserQuery } from '../queries/user.query';
import { queryClient } from '../queries/query-client';
import { loadWithBackoff } from './load-with-backoff';

/**
 * `idle`: before the first connection and while the session changes. `lost`: between a disconnect and the reconnect, and
 * while the code of the socket cannot be loaded.
 */
export type ConnectionStatus = 'idle' | 'connected' | 'lost';

interface ConnectionStore {
  status: ConnectionStatus;
}

/** The connection status for rendering. Code that acts on a new connection uses onConnected. */
export const useConnection = create<ConnectionStore>()(() => ({ status: 'idle' }));

/** Loaded in parallel with the first screen. A shared conversation is read without a socket: there it never loads. */
const loading: Promise<Socket> = isSharePage() ? new Promise(() => undefined) : load();

async function load(): Promise<Socket> {
  const { io } = await loadWithBackoff(
    () => import('socket.io-client'),
    () => useConnection.setState({ status: 'lost' }),
  );
  const socket: Socket = io({
    path: SOCKET_PATH,
    transports: ['websocket', 'polling'],
    // Some corporate proxies block WebSocket.
    tryAllTransports: true,
    autoConnect: false,
    auth: (send: (auth: SocketAuth) => void) =>
      send({ userId: queryClient.getQueryData(currentUserQuery.queryKey)?.id }),
    withCredentials: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
  });
  socket.on('connect', () => {
    clearTimeout(pendingReconnect);
    pendingReconnect = undefined;
    useConnection.setState({ status: 'connected' });
  });
  socket.on('disconnect', (reason) => {
    useConnection.setState({ status: reason === 'io client disconnect' ? 'idle' : 'lost' });
    // The library does not reconnect after the server closed the socket, as it does when a session ends.
    if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 500);
  });
  socket.on('connect_error', (error) => {
    useConnection.setState({ status: 'lost' });
    // The library does not retry a refused handshake. After the loss of its session the page connects with the next one.
    if (!socket.active && refusalOf(error) !== 'unauthenticated') setTimeout(() => socket.connect(), 5_000);
  });
  // A new attempt fails at once; the old connection would be detected as lost only by the heartbeat, within a minute.
  window.addEventListener('offline', () => socket.disconnect().connect());
  // Reconnect now instead of at the end of the backoff.
  window.addEventListener('online', () => {
    if (useConnection.getState().status === 'lost') socket.disconnect().connect();
  });
  return socket;
}

/** Connects after the first call, whose answer sets the cookie that the handshake needs. */
export function startSocket(): void {
  void Promise.all([loading, firstCall]).then(([socket]) => socket.connect());
}

/** Reconnects after a login or logout: the cookies are sent in the handshake only. */
export function reconnectSocket(): void {
  void loading.then((socket) => socket.disconnect().connect());
}

let pendingReconnect: ReturnType<typeof setTimeout> | undefined;

/**
 * Reconnects in a second, once for all calls until then, because the node shuts down. A connection by polling stays: it
 * shows that no other node took the WebSocket, and it ends with its node.
 */
export function reconnectSoon(): void {
  pendingReconnect ??= setTimeout(() => {
    pendingReconnect = undefined;
    void loading.then((socket) => {
      if (socket.io.engine?.transport.name !== 'polling') socket.disconnect().connect();
    });
  }, 1000);
}

/** Sends an event and resolves with the data of its ack. A refusal, a lost connection or a timeout rejects with an ApiError. */
export async function request<E extends ClientEvent>(
  event: E,
  payload: EventPayload<E>,
  timeoutMs = 15_000,
): Promise<EventData<E>> {
  const socket = await loading;
  return new Promise((resolve, reject) => {
    socket.timeout(timeoutMs).emit(event, payload, (failure: Error | null, ack: Ack<EventData<E>>) => {
      if (failure) reject(socket.connected ? ApiError.timeout() : ApiError.network());
      else if (ack.ok) resolve(ack.data);
      else reject(ApiError.fromBody(ack.error));
    });
  });
}

export function onEvent<E extends keyof ServerToClientEvents>(event: E, listener: ServerToClientEvents[E]): () => void {
  return listen(event, listener as unknown as Listener);
}

/** Calls the listeners of a server event that was sent while the connection was lost. */
export function replayEvent<E extends keyof ServerToClientEvents>(
  event: E,
  ...payload: Parameters<ServerToClientEvents[E]>
): void {
  void loading.then((socket) => socket.listeners(event).forEach((listener: Listener) => listener(...payload)));
}

/** Calls the listener when the handshake is refused for the session of the page; returns an unsubscribe function. */
export function onSessionLost(listener: (reason: 'expired' | 'suspended') => void): () => void {
  return listen('connect_error', (error) => {
    const code = refusalOf(error);
    if (code === 'unauthenticated') listener('expired');
    if (code === 'account_suspended') listener('suspended');
  });
}

/** Calls the listener on every connection, including the first; returns an unsubscribe function. */
export function onConnected(listener: () => void): () => void {
  return listen('connect', listener);
}

const refusalOf = (error: unknown) => (error as { data?: Partial<ErrorBody> }).data?.code;

type Listener = (...args: unknown[]) => void;

function listen(event: string, listener: Listener): () => void {
  let stopped = false;
  void loading.then((socket) => {
    if (!stopped) socket.on(event, listener);
  });
  return () => {
    stopped = true;
    void loading.then((socket) => socket.off(event, listener));
  };
}
