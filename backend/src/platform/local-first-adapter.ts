import { createShardedAdapter } from '@socket.io/redis-adapter';
import type { Redis } from 'ioredis';
import type { Namespace } from 'socket.io';

/** `MessageType.BROADCAST` of socket.io-adapter. */
const BROADCAST = 3;

interface BroadcastOptions {
  rooms: Set<string>;
  except?: Set<string>;
  flags?: { local?: boolean };
}

/** What of a cluster adapter is used here. */
interface ClusterAdapter {
  broadcast(packet: unknown, options: BroadcastOptions): Promise<void>;
  publish(message: { type: number; data: unknown }): void;
  close(): void;
}

/**
 * Socket.IO over Redis, except that a process tells its own sockets first: the library waits for Redis before it emits
 * anywhere, which would add a round trip to every token and stop all of them while Redis hangs.
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
    // Subscriptions end with their connection. The library would end them before without listening to the answer, and
    // where there is none any more its absence would end the process in the middle of its stop.
    adapter.close = () => undefined;
    return adapter;
  };
}
