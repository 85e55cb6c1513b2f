import type { Redis } from 'ioredis';
import type { Logger } from '../observability/logging.js';
import type { RedisClient } from '../redis/redis-client.js';

declare const payloadType: unique symbol;

export interface Topic<Payload> {
  /** Unique among all topics. */
  readonly name: string;
  /** Type only; the property does not exist at run time. */
  readonly [payloadType]?: Payload;
}

/** Declares a topic. The feature that publishes a topic exports it. */
export const topic = <Payload>(name: string): Topic<Payload> => ({ name });

export type PayloadOf<T> = T extends Topic<infer Payload> ? Payload : never;

type Handler<Payload> = (payload: Payload) => void | Promise<void>;

/**
 * Broadcasts messages to every node of the installation, the publishing node included. A message can be lost: what must not
 * miss a change is a `SharedTable`. A local subscriber can receive a message twice, see `publish`.
 */
export abstract class Bus {
  private readonly handlers = new Map<string, Handler<never>[]>();

  constructor(protected readonly logger: Logger) {}

  /**
   * Never rejects because of Redis. When the publish fails, local subscribers still get the payload; after a timeout
   * possibly twice.
   */
  abstract publish<Payload>(topic: Topic<Payload>, payload: NoInfer<Payload>): Promise<void>;

  subscribe<Payload>({ name }: Topic<Payload>, handler: Handler<Payload>): void {
    this.handlers.set(name, [...(this.handlers.get(name) ?? []), handler]);
  }

  /** Calls the local subscribers, none of which waits for another. An error of one is logged. */
  protected async deliver(name: string, payload: unknown): Promise<void> {
    const handlers = (this.handlers.get(name) ?? []) as Handler<unknown>[];
    await Promise.all(
      handlers.map(async (handler) => {
        try {
          await handler(payload);
        } catch (error) {
          this.logger.error({ err: error, topic: name }, 'bus subscriber failed; message not handled');
        }
      }),
    );
  }
}

/** In-process bus of the single node that owns its database. */
export class LocalBus extends Bus {
  async publish<Payload>({ name }: Topic<Payload>, payload: NoInfer<Payload>): Promise<void> {
    await this.deliver(name, payload);
  }
}

const CHANNEL = 'tanya:bus';

/** Bus over Redis publish/subscribe. */
export class RedisBus extends Bus {
  constructor(
    private readonly redis: RedisClient,
    private readonly subscriber: Redis,
    logger: Logger,
  ) {
    super(logger);
  }

  async listen(): Promise<void> {
    this.subscriber.on('message', (_channel, text: string) => {
      const { topic: name, payload } = JSON.parse(text) as { topic: string; payload: unknown };
      void this.deliver(name, payload);
    });
    await this.subscriber.subscribe(CHANNEL);
  }

  async publish<Payload>({ name }: Topic<Payload>, payload: NoInfer<Payload>): Promise<void> {
    try {
      await this.redis.publish(CHANNEL, JSON.stringify({ topic: name, payload }));
    } catch (error) {
      this.logger.warn({ err: error, topic: name }, 'bus publish failed; delivered to local subscribers only');
      await this.deliver(name, payload);
    }
  }
}
