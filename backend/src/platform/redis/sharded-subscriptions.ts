import { EventEmitter } from 'node:events';
import { type Cluster, Redis } from 'ioredis';
import type { RedisClusterAddress } from '../../config/redis-url.js';
import { nodeOptions, primaryOf, slotOf } from './cluster-nodes.js';
import { COMMANDS, SUBSCRIPTIONS } from './redis-client.js';

/** Interval at which the subscriptions are compared with the map of slots, ms. */
const RECONCILE_INTERVAL_MS = 1_000;

/** A subscription without a reply is sent again after this time, ms. */
const REPLY_TIMEOUT_MS = 3_000;

interface Link {
  redis: Redis;
  /** Settles with the first attempt to connect. */
  opened: Promise<void>;
  /** Channels that were sent: when, and whether the primary confirmed them. */
  sent: Map<string, { at: number; isConfirmed: boolean }>;
}

/** Connection for sharded subscriptions, as Socket.IO's adapter uses it. */
export interface ShardedSubscriber {
  on(event: 'smessageBuffer', listener: (channel: Buffer, message: Buffer) => void): unknown;
  ssubscribe(channel: string): Promise<unknown>;
  sunsubscribe(channel: string): Promise<unknown>;
  disconnect(): void;
}

/**
 * Sharded subscriptions of a cluster. Each channel is subscribed at the primary of its slot, and again when the slot
 * moves or the connection is lost. The client library has a group of subscribers too, but a subscription is lost for good
 * when a primary refuses it during a failover, or ends it because the slot moves (docs/decisions/0034).
 */
export class ShardedSubscriptions extends EventEmitter implements ShardedSubscriber {
  private readonly channels = new Map<string, number>();
  private readonly links = new Map<string, Link>();
  private readonly timer: NodeJS.Timeout;

  /** @param cluster client whose map of slots is used; it is not closed with the subscriptions */
  constructor(
    private readonly cluster: Cluster,
    private readonly address: RedisClusterAddress,
  ) {
    super();
    this.timer = setInterval(() => this.reconcile(), RECONCILE_INTERVAL_MS).unref();
  }

  /** Resolves when the primary has confirmed the subscription. A failed subscription is repeated until it succeeds. */
  ssubscribe(channel: string): Promise<void> {
    this.channels.set(channel, slotOf(channel));
    const subscribed = this.subscribe(channel);
    // The adapter does not await it.
    subscribed.catch(() => undefined);
    return subscribed;
  }

  async sunsubscribe(channel: string): Promise<void> {
    const link = this.links.get(this.primaryOf(channel) ?? '');
    this.channels.delete(channel);
    link?.sent.delete(channel);
    if (link?.redis.status === 'ready') await link.redis.sunsubscribe(channel).catch(() => undefined);
  }

  disconnect(): void {
    clearInterval(this.timer);
    for (const { redis } of this.links.values()) redis.disconnect();
    this.links.clear();
    this.channels.clear();
  }

  private async subscribe(channel: string): Promise<void> {
    const primary = this.primaryOf(channel);
    if (primary === undefined) throw new Error('Redis Cluster unavailable: no primary for the channel');
    const link = this.links.get(primary) ?? this.open(primary);
    await link.opened;
    await this.send(link, channel);
  }

  private async send({ redis, sent }: Link, channel: string): Promise<void> {
    const subscription = { at: performance.now(), isConfirmed: false };
    sent.set(channel, subscription);
    // A reply MOVED leaves the promise pending; the next map of slots leads to the right primary.
    await redis.ssubscribe(channel);
    subscription.isConfirmed = true;
  }

  private open(primary: string): Link {
    const colon = primary.lastIndexOf(':');
    const redis = new Redis({
      ...COMMANDS,
      ...SUBSCRIPTIONS,
      ...nodeOptions(this.address),
      host: primary.slice(0, colon),
      port: Number(primary.slice(colon + 1)),
      lazyConnect: true,
      enableOfflineQueue: false,
      autoResubscribe: false,
      autoResendUnfulfilledCommands: false,
    });
    const link: Link = { redis, opened: redis.connect().catch(() => undefined), sent: new Map() };
    // An error of an open connection is a message without a request: the primary has ended subscriptions of a moved slot.
    redis.on('error', () => link.sent.clear());
    redis.on('close', () => link.sent.clear());
    redis.on('ready', () => this.reconcile());
    redis.on('smessageBuffer', (channel: Buffer, message: Buffer) => this.emit('smessageBuffer', channel, message));
    this.links.set(primary, link);
    return link;
  }

  /** Sends what the primaries of the current map have not confirmed, and closes connections to all other nodes. */
  private reconcile(): void {
    const primaries = new Set<string>();
    for (const channel of this.channels.keys()) {
      const primary = this.primaryOf(channel);
      if (primary === undefined) continue;
      primaries.add(primary);
      const link = this.links.get(primary) ?? this.open(primary);
      if (link.redis.status === 'ready' && isDue(link.sent.get(channel))) {
        void this.send(link, channel).catch(() => undefined);
      }
    }
    for (const [node, { redis }] of this.links) {
      if (primaries.has(node)) continue;
      redis.disconnect();
      this.links.delete(node);
    }
  }

  private primaryOf(channel: string): string | undefined {
    return primaryOf(this.cluster, this.channels.get(channel) ?? slotOf(channel));
  }
}

const isDue = (subscription: { at: number; isConfirmed: boolean } | undefined): boolean =>
  subscription === undefined || (!subscription.isConfirmed && performance.now() - subscription.at > REPLY_TIMEOUT_MS);
