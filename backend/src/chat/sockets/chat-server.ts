import type { ClientToServerEvents, ServerToClientEvents } from '@tanya/contract';
import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { SocketIdentity } from '../../auth/identity.service.js';

/** The Socket.IO server with the contract's events; `socket.data` holds the identity of the handshake. */
export type ChatServer = Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketIdentity>;
export type ChatSocket = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketIdentity>;
