import {
  SOCKET_PATH,
  type Ack,
  type ClientToServerEvents,
  type ErrorBody,
  type ServerToClientEvents,
  type SocketAuth,
} from '@tanya/contract';
import type { Socket } from 'socket.io-client';
import { create } from 'zustand';
import { firstCall } from '../api/api-client';
import { ApiError } from '../api/api-error';
import { currentUserQuery } from '../queries/user.query';
import { queryClient } from '../queries/query-client';

type ClientEvent = keyof ClientToServerEvents;
type PayloadOf<E extends ClientEvent> = Parameters<ClientToServerEvents[E]>[0];
type AckOf<E extends ClientEvent> = Parameters<Parameters<ClientToServerEvents[E]>[1]>[0];
type DataOf<E extends ClientEvent> = AckOf<E> extends Ack<infer T> ? T : never;

/** `idle` before the first try and while the session changes, `lost` after a connection broke and until it is back. */
export type ConnectionStatus = 'idle' | 'connected' | 'lost';

interface ConnectionStore {
  status: ConnectionStatus;
}

/** For banners and marks; whoever must act on a new connection uses onConnected. */
export const useConnection = create<ConnectionStore>()(() => ({ status: 'idle' }));

/** Loaded beside the first screen rather than before it. */
const loading: Promise<Socket> = import('socket.io-client').then(({ io }) => {
  const socket: Socket = io({
    path: SOCKET_PATH,
    transports: ['websocket', 'polling'],
    // Some companies' proxies let no WebSocket through.
    tryAllTransports: true,
    autoConnect: false,
    auth: (tell: (auth: SocketAuth) => void) =>
      tell({ userId: queryClient.getQueryData(currentUserQuery.queryKey)?.id }),
    withCredentials: true,
    reconnectionDelay: 500,
    reconnectionDelayMax: 5_000,
  });
  socket.on('connect', () => useConnection.setState({ status: 'connected' }));
  socket.on('disconnect', (reason) => {
    useConnection.setState({ status: reason === 'io client disconnect' ? 'idle' : 'lost' });
    // The library does not come back by itself when the server closed the socket, as it does when a session ends.
    if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 500);
  });
  socket.on('connect_error', () => {
    useConnection.setState({ status: 'lost' });
    // A refused handshake ends the library's own retries.
    if (!socket.active) setTimeout(() => socket.connect(), 5_000);
  });
  // The network went: a try tells at once what the silence of the old connection would tell in most of a minute.
  window.addEventListener('offline', () => socket.disconnect().connect());
  // It is back: no need to wait for the next try.
  window.addEventListener('online', () => {
    if (useConnection.getState().status === 'lost') socket.disconnect().connect();
  });
  return socket;
});

/** Connects after the first read, because the handshake needs the cookie that comes with it. */
export function startSocket(): void {
  void Promise.all([loading, firstCall]).then(([socket]) => socket.connect());
}

/** The handshake carries the cookies, so a login or logout needs a new one. */
export function reconnectSocket(): void {
  void loading.then((socket) => socket.disconnect().connect());
}

/** Calls the server and resolves with the ack's data; a refusal, a lost connection or silence rejects with an ApiError. */
export async function request<E extends ClientEvent>(
  event: E,
  payload: PayloadOf<E>,
  timeoutMs = 15_000,
): Promise<DataOf<E>> {
  const socket = await loading;
  return new Promise((resolve, reject) => {
    socket.timeout(timeoutMs).emit(event, payload, (failure: Error | null, ack: Ack<DataOf<E>>) => {
      if (failure) reject(socket.connected ? ApiError.timeout() : ApiError.network());
      else if (ack.ok) resolve(ack.data);
      else reject(ApiError.fromBody(ack.error));
    });
  });
}

/** Listens to a server event; returns the way to stop. */
export function onEvent<E extends keyof ServerToClientEvents>(event: E, listener: ServerToClientEvents[E]): () => void {
  return listen(event, listener as unknown as Listener);
}

/** Calls the listener when the server knows nobody who could be the signed-in user of this page; returns the way to stop. */
export function onSessionLost(listener: () => void): () => void {
  return listen('connect_error', (error) => {
    if ((error as { data?: Partial<ErrorBody> }).data?.code === 'unauthenticated') listener();
  });
}

/** Calls the listener at every new connection, the first included; returns the way to stop. */
export function onConnected(listener: () => void): () => void {
  return listen('connect', listener);
}

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
