import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { toAppError } from '../errors/error-body.js';

/** For how long the store is left alone after a failure, ms: as long as a call waits for a Redis that does not respond. */
const PAUSE_MS = 2_000;

/**
 * Whether the store of the limits responds. A login asks for a dozen limits one after the other: without this each of them
 * would wait for a store that is frozen or out of reach.
 */
export class StoreWatch {
  /** 0 while the store responds. */
  private pausedUntil = 0;

  constructor(private readonly now = () => performance.now()) {}

  /** Whether a call may ask the store. After a pause one call asks it; the others go on in memory until it has responded. */
  mayAsk(): boolean {
    if (this.now() < this.pausedUntil) return false;
    if (this.pausedUntil > 0) this.failed();
    return true;
  }

  responded(): void {
    this.pausedUntil = 0;
  }

  failed(): void {
    this.pausedUntil = this.now() + PAUSE_MS;
  }
}

/** A limiter whose points are in a store, and in the memory of this process while the store is away. */
export class StoredLimiter {
  constructor(
    private readonly stored: RateLimiterAbstract,
    private readonly memory: RateLimiterAbstract,
    private readonly watch: StoreWatch,
  ) {}

  consume(key: string, points?: number): Promise<RateLimiterRes> {
    return this.either((limiter) => limiter.consume(key, points));
  }

  get(key: string): Promise<RateLimiterRes | null> {
    return this.either((limiter) => limiter.get(key));
  }

  penalty(key: string, points?: number): Promise<RateLimiterRes> {
    return this.either((limiter) => limiter.penalty(key, points));
  }

  reward(key: string, points?: number): Promise<RateLimiterRes> {
    return this.either((limiter) => limiter.reward(key, points));
  }

  private async either<T>(ask: (limiter: RateLimiterAbstract) => Promise<T>): Promise<T> {
    if (!this.watch.mayAsk()) return ask(this.memory);
    try {
      const result = await ask(this.stored);
      this.watch.responded();
      return result;
    } catch (error) {
      // A key that the store refuses must not take the others out of it.
      if (toAppError(error).code === 'storage_unavailable') this.watch.failed();
      else this.watch.responded();
      return ask(this.memory);
    }
  }
}
