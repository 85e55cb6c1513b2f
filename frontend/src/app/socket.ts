import { SOCKET_PATH, type Ack, type ClientToServerEvents, type ServerToClientEvents } from '@tanya/contract';
import { io, type Socket } from 'socket.io-client';
import { create } from 'zustand';
import { firstAnswer } from './api-client';
import { ApiError } from './api-error';

type ClientEvent = keyof ClientToServerEvents;
type PayloadOf<E extends ClientEvent> = Parameters<ClientToServerEvents[E]>[0];
type AckOf<E extends ClientEvent> = Parameters<Parameters<ClientToServerEvents[E]>[1]>[0];
type DataOf<E extends ClientEvent> = AckOf<E> extends Ack<infer T> ? T : never;

/** `idle` before the first try, `lost` after a connection broke and until it is back. */
export type ConnectionStatus = 'idle' | 'connected' | 'lost';

interface ConnectionStore {
  status: ConnectionStatus;
}

/** For banners and marks; whoever must act on a new connection uses onConnected. */
export const useConnection = create<ConnectionStore>()(() => ({ status: 'idle' }));

const socket: Socket<ServerToClientEvents, ClientToServerEvents> = io({
  path: SOCKET_PATH,
  transports: ['websocket', 'polling'],
  autoConnect: false,
  withCredentials: true,
  reconnectionDelay: 500,
  reconnectionDelayMax: 5_000,
});

socket.on('connect', () => useConnection.setState({ status: 'connected' }));
socket.on('disconnect', (reason) => {
  useConnection.setState({ status: 'lost' });
  // The library does not come back by itself when the server closed the socket, as it does when a session ends.
  if (reason === 'io server disconnect') setTimeout(() => socket.connect(), 500);
});
socket.on('connect_error', () => {
  useConnection.setState({ status: 'lost' });
  // A refused handshake ends the library's own retries.
  if (!socket.active) setTimeout(() => socket.connect(), 5_000);
});

/** Connects once the server has answered a first read, because the handshake needs the cookie that comes with it. */
export function startSocket(): void {
  void firstAnswer.then(() => socket.connect());
}

/** The handshake carries the cookies, so a login or logout needs a new one. */
export function reconnectSocket(): void {
  socket.disconnect();
  socket.connect();
}

/** Calls the server and resolves with the ack's data; a refusal, a lost connection or silence rejects with an ApiError. */
export function request<E extends ClientEvent>(
  event: E,
  payload: PayloadOf<E>,
  timeoutMs = 15_000,
): Promise<DataOf<E>> {
  return new Promise((resolve, reject) => {
    const answered = (failure: Error | null, ack: Ack<DataOf<E>>) => {
      if (failure) reject(socket.connected ? ApiError.timeout() : ApiError.network());
      else if (ack.ok) resolve(ack.data);
      else reject(ApiError.fromBody(ack.error));
    };
    // The library's types can't follow a generic event name to its ack; the signature above does.
    (socket as Socket).timeout(timeoutMs).emit(event, payload, answered);
  });
}

/** Listens to a server event; returns the way to stop. */
export function onEvent<E extends keyof ServerToClientEvents>(event: E, listener: ServerToClientEvents[E]): () => void {
  const untyped = socket as Socket;
  const name: string = event;
  const untypedListener = listener as unknown as (...args: unknown[]) => void;
  untyped.on(name, untypedListener);
  return () => untyped.off(name, untypedListener);
}

/** Calls the listener at every new connection, the first included; returns the way to stop. */
export function onConnected(listener: () => void): () => void {
  socket.on('connect', listener);
  return () => socket.off('connect', listener);
}
