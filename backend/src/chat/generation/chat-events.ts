import type { ServerToClientEvents } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { Owner } from '../../platform/session/identity.js';

type EventName = keyof ServerToClientEvents;

/** Sends one event to every socket of an owner, on every node. */
export type OwnerEmitter = <E extends EventName>(
  owner: Owner,
  event: E,
  ...args: Parameters<ServerToClientEvents[E]>
) => void;

/**
 * The narrow way out to the sockets: services emit here, the gateway connects it, and nothing imports the gateway.
 * Before it is connected nobody can be listening.
 */
@Injectable()
export class ChatEvents {
  private emitter: OwnerEmitter | null = null;

  connect(emitter: OwnerEmitter): void {
    this.emitter = emitter;
  }

  emit: OwnerEmitter = (owner, event, ...args) => this.emitter?.(owner, event, ...args);
}
