import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import type { Asker } from '../../../identity/identity.js';
import { type GenerationRow, GenerationStore } from '../store/generation-store.js';
import { SendRateLimiter } from './send-rate-limiter.js';

/** What the copies of a request are known by: its idempotency key and a hash of its content. */
export interface RequestKey {
  clientMessageId: string;
  requestHash: string;
  /** Whether no earlier request can have the `clientMessageId`: the client sent no idempotency key. */
  isFresh?: boolean;
  /** Whether it has counted as a send already, before the work that precedes its admission. It then counts as one in any case. */
  isCounted?: boolean;
}

/**
 * Tells whether a request is new or the same one again. Within a process the copies of a request wait for one another; across
 * processes the statement of the admission and the unique index of `client_message_id` decide.
 */
@Injectable()
export class Idempotency {
  /** The last copy of each request that is in its admission; it resolves when that one is released. */
  private readonly inAdmission = new Map<string, Promise<void>>();

  constructor(
    private readonly store: GenerationStore,
    private readonly rateLimiter: SendRateLimiter,
  ) {}

  /**
   * Waits until no other copy of a request is in its admission.
   * @returns the request; declared with `using`, the next copy waits for the end of the block
   */
  async waitForTurn(asker: Asker, key: RequestKey): Promise<RequestInAdmission> {
    if (key.isFresh) return new RequestInAdmission(asker, key, this.store, this.rateLimiter, () => undefined);
    const name = `${asker.owner} ${key.clientMessageId}`;
    const previous = this.inAdmission.get(name);
    let resolve!: () => void;
    const own = new Promise<void>((done) => (resolve = done));
    this.inAdmission.set(name, own);
    await previous;
    return new RequestInAdmission(asker, key, this.store, this.rateLimiter, () => {
      if (this.inAdmission.get(name) === own) this.inAdmission.delete(name);
      resolve();
    });
  }
}

/** A request in its admission: the only one of its copies in this process. */
export class RequestInAdmission implements Disposable {
  private reservation: Disposable | null = null;
  private isCountedHere = false;

  /** @param release lets the next copy in */
  constructor(
    readonly asker: Asker,
    readonly key: RequestKey,
    private readonly store: GenerationStore,
    private readonly rateLimiter: SendRateLimiter,
    private readonly release: () => void,
  ) {}

  [Symbol.dispose](): void {
    this.reservation?.[Symbol.dispose]();
    this.release();
  }

  /** @param reservation of the id of its answer, whose row is committed before its run starts */
  keep(reservation: Disposable): void {
    this.reservation = reservation;
  }

  /** Counts the send, unless it has counted. @throws AppError `rate_limited` */
  async count(): Promise<void> {
    if (this.key.isCounted || this.isCountedHere) return;
    await this.rateLimiter.count(this.asker);
    this.isCountedHere = true;
  }

  /**
   * What an earlier copy has started; null for a new request.
   * @throws AppError `idempotency_mismatch` when the key belongs to another content; `rate_limited`, as that counts as a send
   */
  async earlier(): Promise<GenerationRow | null> {
    const earlier = await this.find();
    if (earlier === null || this.isCopyOf(earlier)) return earlier;
    // No admission will count it.
    await this.count();
    throw new AppError('idempotency_mismatch');
  }

  /**
   * What an earlier copy has started, after this one was refused, whatever the refusal is. Its send does not count then.
   * @throws AppError the refusal of a new request, `idempotency_mismatch`
   */
  async earlierInsteadOf(refusal: unknown): Promise<GenerationRow> {
    if (!(refusal instanceof AppError)) throw refusal;
    const earlier = await this.find();
    if (earlier === null) throw refusal;
    // A mismatch must not bypass the rate limit that refused its request.
    if (!this.isCopyOf(earlier)) throw refusal.code === 'rate_limited' ? refusal : new AppError('idempotency_mismatch');
    if (this.isCountedHere) await this.rateLimiter.refund(this.asker);
    return earlier;
  }

  private async find(): Promise<GenerationRow | null> {
    const { clientMessageId, isFresh } = this.key;
    return isFresh ? null : this.store.findByClientMessage(this.asker.owner, clientMessageId);
  }

  private isCopyOf(earlier: GenerationRow): boolean {
    return earlier.requestHash === this.key.requestHash;
  }
}
