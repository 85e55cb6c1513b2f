import { createShardedAdapter } from '@socket.io/redis-adapter';
import type { Namespace } from 'socket.io';
import type { RedisClient } from '../redis/redis-client.js';
import type { ShardedSubscriber } from '../redis/sharded-subscriptions.js';
import { withTimeout } from '../resilience/with-timeout.js';

/** `MessageType.BROADCAST` of socket.io-adapter. */
const BROADCAST = 3;

/** Timeout of a room subscription; the socket then opens without it. */
const SUBSCRIBE_TIMEOUT_MS = 1_000;

/** Redis channel of a room of the default namespace in the sharded adapter. */
export const channelOf = (room: string): string => `socket.io#/#${room}#`;

interface BroadcastOptions {
  rooms: Set<string>;
  except?: Set<string>;
  flags?: { local?: boolean };
}

interface ClusterAdapter {
  addAll(id: string, rooms: Set<string>): void | Promise<void>;
  broadcast(packet: unknown, options: BroadcastOptions): void | Promise<void>;
  publish(message: { type: number; data: unknown }): void;
  close(): void;
}

/**
 * Sharded Redis adapter of Socket.IO that broadcasts to local sockets without waiting for Redis: the library's round trip
 * would delay every token, and all of them while Redis hangs. Joining a room waits until the subscription is active,
 * which the library does not.
 */
export function localFirstAdapter(
  publisher: RedisClient,
  subscriber: ShardedSubscriber,
): (namespace: Namespace) => unknown {
  const create = createShardedAdapter(publisher, subscriber);
  // Socket.IO calls it with `new`, which an arrow function does not allow.
  return function localFirst(namespace) {
    const adapter = create(namespace) as unknown as ClusterAdapter;
    const broadcast = adapter.broadcast.bind(adapter);
    adapter.broadcast = (packet, options) => {
      // A local broadcast is complete when the call returns.
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
      // The library subscribes on the same connection first, so this reply follows the reply to its subscription.
      const subscribed = Promise.all(channels.map((channel) => subscriber.ssubscribe(channel)));
      await withTimeout(SUBSCRIBE_TIMEOUT_MS, subscribed).catch(() => undefined);
    };
    // Subscriptions end with their connection. The library would unsubscribe and leave the promise unhandled; without
    // Redis its rejection would end the process during shutdown.
    adapter.close = () => undefined;
    return adapter;
  };
}
