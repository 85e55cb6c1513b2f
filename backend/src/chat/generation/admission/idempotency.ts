import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import type { Asker, Owner } from '../../../identity/identity.js';
import { type GenerationRow, GenerationStore } from '../store/generation-store.js';
import { SendRateLimiter } from './send-rate-limiter.js';

/** A request with its idempotency key and a hash of its content. */
export interface IdentifiedRequest {
  owner: Owner;
  clientMessageId: string;
  requestHash: string;
}

/**
 * Finds the generation of a request that was sent before. Within a process the copies of a request wait for one another; across
 * processes the statement of the admission and the unique index of `client_message_id` decide.
 */
@Injectable()
export class Idempotency {
  private readonly inAdmission = new Map<string, Promise<unknown>>();

  constructor(
    private readonly store: GenerationStore,
    private readonly rateLimiter: SendRateLimiter,
  ) {}

  /**
   * The generation that an earlier copy started; null without one. For what must not be done twice before an admission.
   * @param counted whose sends count a request with another content, which no admission will count; null counts none
   * @throws AppError `idempotency_mismatch` when the key belongs to another content, `rate_limited`
   */
  async earlier(request: IdentifiedRequest, counted: Asker | null): Promise<GenerationRow | null> {
    const row = await this.store.findByClientMessage(request.owner, request.clientMessageId);
    if (row === null || row.request_hash === request.requestHash) return row;
    if (counted !== null) await this.rateLimiter.count(counted);
    throw new AppError('idempotency_mismatch');
  }

  /**
   * The generation of an earlier copy of a request that was refused. It is looked for only then, because few requests are
   * repeats.
   * @throws AppError `idempotency_mismatch`; the refusal without an earlier copy
   */
  async earlierThanRefusal(request: IdentifiedRequest, refusal: unknown): Promise<GenerationRow> {
    if (!(refusal instanceof AppError)) throw refusal;
    const row = await this.store.findByClientMessage(request.owner, request.clientMessageId);
    if (row === null) throw refusal;
    if (row.request_hash === request.requestHash) return row;
    // A mismatch must not bypass the rate limit that refused its request.
    throw refusal.code === 'rate_limited' ? refusal : new AppError('idempotency_mismatch');
  }

  /** Runs the copies of a request one after another. */
  async oneByOne<T>({ owner, clientMessageId }: IdentifiedRequest, work: () => Promise<T>): Promise<T> {
    const key = `${owner} ${clientMessageId}`;
    const previous = this.inAdmission.get(key) ?? Promise.resolve();
    const own = previous.catch(() => undefined).then(work);
    this.inAdmission.set(key, own);
    try {
      return await own;
    } finally {
      if (this.inAdmission.get(key) === own) this.inAdmission.delete(key);
    }
  }
}
