import type { ServerToClientEvents } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { Owner } from '../../../identity/identity.js';

type EventName = keyof ServerToClientEvents;

/** Sends one event to all sockets of an owner, on all nodes. */
export type OwnerEmitter = <E extends EventName>(
  owner: Owner,
  event: E,
  ...args: Parameters<ServerToClientEvents[E]>
) => void;

/**
 * The port through which services emit to sockets. The gateway connects it, so that no service imports the gateway. Events
 * before that are dropped: no socket is open yet.
 */
@Injectable()
export class ChatEvents {
  private emitter: OwnerEmitter | null = null;

  connect(emitter: OwnerEmitter): void {
    this.emitter = emitter;
  }

  emit: OwnerEmitter = (owner, event, ...args) => this.emitter?.(owner, event, ...args);
}
