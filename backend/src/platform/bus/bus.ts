import type { SessionEndedPayload } from '@tanya/contract';
import type { Redis } from 'ioredis';
import type { Owner } from '../../identity/identity.js';
import type { Logger } from '../observability/logging.js';

/** What processes tell one another; each topic's payload. */
export interface BusTopics {
  'settings:changed': null;
  'models:changed': null;
  'session:ended': {
    userId: number;
    reason: SessionEndedPayload['reason'];
    exceptSessionId?: string;
    sessionId?: string;
  };
  /** A member became premium or an admin, or is no longer. */
  'plan:changed': { userId: number; isPremium: boolean };
  /** An API key was revoked or replaced: what runs under it ends. */
  'api-key:ended': { userId: number };
  'generation:stop': { generationId: string };
  /** Somebody is about to read what this process still holds of an answer; it says `generation:flushed` in reply. */
  'generation:flush': { generationId: string; nodeId: string; request: string };
  'generation:flushed': { request: string };
  /** A page of theirs opens in some process, which hears from now on what is published for them. */
  'owner:listening': { owner: Owner };
  /** A guest's things, running generations included, belong to an account now. */
  'owner:adopted': { from: Owner; to: Owner };
}

export type BusTopic = keyof BusTopics;

type Handler<T extends BusTopic> = (payload: BusTopics[T]) => void | Promise<void>;

/**
 * Announcements to every process of the installation, this one included. At most once: whoever depends on one
 * must also notice by itself in time.
 */
export abstract class Bus {
  private readonly handlers = new Map<BusTopic, Handler<never>[]>();

  constructor(protected readonly logger: Logger) {}

  abstract publish<T extends BusTopic>(topic: T, payload: BusTopics[T]): Promise<void>;

  subscribe<T extends BusTopic>(topic: T, handler: Handler<T>): void {
    this.handlers.set(topic, [...(this.handlers.get(topic) ?? []), handler]);
  }

  protected async deliver<T extends BusTopic>(topic: T, payload: BusTopics[T]): Promise<void> {
    for (const handler of (this.handlers.get(topic) ?? []) as Handler<T>[]) {
      try {
        await handler(payload);
      } catch (error) {
        this.logger.error({ err: error, topic }, 'an announcement could not be handled');
      }
    }
  }
}

/** For the one process that owns its database. */
export class LocalBus extends Bus {
  async publish<T extends BusTopic>(topic: T, payload: BusTopics[T]): Promise<void> {
    await this.deliver(topic, payload);
  }
}

const CHANNEL = 'tanya:bus';

/** Over Redis publish and subscribe. */
export class RedisBus extends Bus {
  constructor(
    private readonly redis: Redis,
    private readonly subscriber: Redis,
    logger: Logger,
  ) {
    super(logger);
  }

  async listen(): Promise<void> {
    this.subscriber.on('message', (_channel, text: string) => {
      const { topic, payload } = JSON.parse(text) as { topic: BusTopic; payload: never };
      void this.deliver(topic, payload);
    });
    await this.subscriber.subscribe(CHANNEL);
  }

  async publish<T extends BusTopic>(topic: T, payload: BusTopics[T]): Promise<void> {
    try {
      await this.redis.publish(CHANNEL, JSON.stringify({ topic, payload }));
    } catch (error) {
      this.logger.warn({ err: error, topic }, 'an announcement reaches this process only');
      await this.deliver(topic, payload);
    }
  }
}
