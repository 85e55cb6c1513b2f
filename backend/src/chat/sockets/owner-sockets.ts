import {
  type ClientToServerEvents,
  isPartChange,
  type ServerToClientEvents,
  type ThreadChangedPayload,
} from '@tanya/contract';
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { SocketIdentity } from '../../auth/identity.service.js';
import { Bus } from '../../platform/bus/bus.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { REDIS } from '../../platform/redis/redis.js';
import { type Owner, ownerRoom } from '../../identity/identity.js';
import { ownerListening } from '../../identity/identity-topics.js';
import { RemoteSubscribers } from '../../platform/sockets/remote-subscribers.js';

/** The Socket.IO server with the contract's events; `socket.data` holds the identity of the handshake. */
export type ChatServer = Server<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketIdentity>;
export type ChatSocket = Socket<ClientToServerEvents, ServerToClientEvents, DefaultEventsMap, SocketIdentity>;

/** The room of the sockets that have sent in a temporary thread. */
export const threadRoom = (owner: Owner, threadId: number): string => `${ownerRoom(owner)}:thread:${threadId}`;

type EventName = keyof ServerToClientEvents;

/** Whether an event changes the parts of an answer. All of them take one path, so that none overtakes another. */
const isPartChangeEvent = (event: string, payload: { type?: string } | undefined): boolean =>
  event === 'generation:event' && isPartChange({ type: payload?.type ?? '' });

/**
 * Emits events to the sockets of an owner. Every event is published to all nodes, except changes of an answer: they are
 * published only while another node has a socket of the owner. A client that misses such a change finds the gap and
 * resumes; other events are not repeated.
 */
@Injectable()
export class OwnerSockets implements OnModuleInit, OnModuleDestroy {
  private server: ChatServer | null = null;
  private readonly remote: RemoteSubscribers | null;

  constructor(
    @Inject(REDIS) redis: RedisClient | null,
    private readonly bus: Bus,
  ) {
    this.remote = redis === null ? null : new RemoteSubscribers(redis, (room) => this.hasLocal(room));
  }

  onModuleInit(): void {
    this.bus.subscribe(ownerListening, ({ owner }) => this.remote?.noteJoin(ownerRoom(owner)));
  }

  onModuleDestroy(): void {
    this.remote?.close();
  }

  /** Sets the server once it listens. Events before that are dropped: no socket is open yet. */
  attach(server: ChatServer): void {
    this.server = server;
  }

  emit<E extends EventName>(owner: Owner, event: E, ...args: Parameters<ServerToClientEvents[E]>): void {
    if (this.server === null) return;
    const room = ownerRoom(owner);
    const [payload] = args as { type?: string }[];
    const isLocalOnly = this.remote !== null && isPartChangeEvent(event, payload) && !this.remote.has(room);
    const sockets = isLocalOnly ? this.server.local.to(room) : this.server.to(room);
    sockets.emit(event, ...(args as never));
  }

  /**
   * Announces a change of a thread to the pages of its owner; of a temporary one only to the pages that have sent in it.
   */
  threadChanged(owner: Owner, { isTemporary, ...payload }: ThreadChangedPayload & { isTemporary: boolean }): void {
    if (isTemporary) this.server?.to(threadRoom(owner, payload.threadId)).emit('thread:changed', payload);
    else this.emit(owner, 'thread:changed', payload);
  }

  /** Announces a socket of the owner on this node, so that other nodes publish the changes of answers. */
  async announceSocket(owner: Owner): Promise<void> {
    if (this.remote !== null) await this.bus.publish(ownerListening, { owner });
  }

  private hasLocal(room: string): boolean {
    if (this.server === null) return false;
    const { adapter, sockets } = this.server.sockets;
    return [...(adapter.rooms.get(room) ?? [])].some((id) => sockets.has(id));
  }
}
