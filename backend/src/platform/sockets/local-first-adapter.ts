import { createShardedAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import type { Namespace } from 'socket.io';
import { withTimeout } from '../resilience/with-timeout.js';

/** `MessageType.BROADCAST` of socket.io-adapter. */
const BROADCAST = 3;

/** A page opens without Redis when that does not answer for this long, ms. */
const SUBSCRIBE_TIMEOUT_MS = 1_000;

/** Where the sharded adapter publishes what goes to one room of the page's namespace. */
export const channelOf = (room: string): string => `socket.io#/#${room}#`;

interface BroadcastOptions {
  rooms: Set<string>;
  except?: Set<string>;
  flags?: { local?: boolean };
}

/** What of a cluster adapter is used here. */
interface ClusterAdapter {
  addAll(id: string, rooms: Set<string>): void | Promise<void>;
  broadcast(packet: unknown, options: BroadcastOptions): Promise<void>;
  publish(message: { type: number; data: unknown }): void;
  close(): void;
}

/**
 * Socket.IO over Redis, except that a process tells its own sockets first: the library waits for Redis before it emits
 * anywhere, which would add a round trip to every token and stop all of them while Redis hangs. And a socket is in a room
 * once Redis has said that this process hears it, for which the library does not wait.
 */
export function localFirstAdapter(publisher: Redis, subscriber: Redis): (namespace: Namespace) => unknown {
  const create = createShardedAdapter(publisher, subscriber);
  // Socket.IO calls it with `new`, which an arrow function does not allow.
  return function localFirst(namespace) {
    const adapter = create(namespace) as unknown as ClusterAdapter;
    const broadcast = adapter.broadcast.bind(adapter);
    adapter.broadcast = async (packet, options) => {
      // A local broadcast is done when the call returns.
      void broadcast(packet, { ...options, flags: { ...options.flags, local: true } });
      if (options.flags?.local) return;
      const { rooms, except = [], flags } = options;
      adapter.publish({
        type: BROADCAST,
        data: { packet, opts: { rooms: [...rooms], except: [...except], flags } },
      });
    };
    const addAll = adapter.addAll.bind(adapter);
    adapter.addAll = async (id, rooms) => {
      void addAll(id, rooms);
      const channels = [...rooms].filter((room) => room !== id).map(channelOf);
      if (channels.length === 0) return;
      // The library has asked for the same over the same connection, so this is answered when that has been.
      const subscribed = Promise.all(channels.map((channel) => subscriber.ssubscribe(channel)));
      await withTimeout(SUBSCRIBE_TIMEOUT_MS, subscribed).catch(() => undefined);
    };
    // Subscriptions end with their connection. The library would end them before without listening to the answer, and
    // where there is none any more its absence would end the process in the middle of its stop.
    adapter.close = () => undefined;
    return adapter;
  };
}
