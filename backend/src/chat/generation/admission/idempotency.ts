import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import type { Asker } from '../../../identity/identity.js';
import { type GenerationRow, GenerationStore } from '../store/generation-store.js';
import { SendRateLimiter } from './send-rate-limiter.js';

/** A request with its idempotency key and a hash of its content. */
export interface IdentifiedRequest {
  clientMessageId: string;
  requestHash: string;
  /** Whether no earlier request can have the `clientMessageId`: the client sent no idempotency key. */
  isFresh?: boolean;
  /** Whether it has counted as a send already, see `DetachedGenerations.countSend`. It then counts as one in any case. */
  isCounted?: boolean;
}

/** Counts a send, unless it has counted. A repetition gets it back. @throws AppError `rate_limited` */
export type CountSend = () => Promise<void>;

interface Ways<Started> {
  /** Admits the request and starts its generation. The statement of the admission refuses a known id with `conflict`. */
  admit: (count: CountSend) => Promise<Started>;
  /** What the earlier copy has started; null for one that failed, after which the request may be admitted. */
  repeat: (earlier: GenerationRow) => Promise<Started | null>;
  /**
   * Looks for an earlier copy before the admission, which does what must not be done twice. Without it, one is looked for only
   * after a refusal, because few requests are repetitions.
   */
  looksFirst: boolean;
}

/**
 * Decides whether a request is new or the same one again. Within a process the copies of a request wait for one another; across
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
   * Admits a request, or returns what an earlier copy of it has started, free of charge and whatever the refusal is.
   * @throws AppError the refusal of a request without an earlier copy; `idempotency_mismatch` when the key belongs to another
   *   content, `rate_limited`
   */
  async admitOrRepeat<Started>(
    asker: Asker,
    request: IdentifiedRequest,
    { admit, repeat, looksFirst }: Ways<Started>,
  ): Promise<Started> {
    let mayRefund = false;
    const count: CountSend = async () => {
      if (request.isCounted) return;
      await this.rateLimiter.count(asker);
      mayRefund = true;
    };
    if (request.isFresh) return admit(count);
    return this.afterEarlierCopies(asker, request, async () => {
      if (looksFirst) {
        const earlier = await this.find(asker, request);
        if (earlier !== null && !isCopy(earlier, request)) {
          // No admission will count it.
          await count();
          throw new AppError('idempotency_mismatch');
        }
        const repeated = earlier && (await repeat(earlier));
        if (repeated !== null) return repeated;
      }
      try {
        return await admit(count);
      } catch (refusal) {
        if (!(refusal instanceof AppError)) throw refusal;
        const earlier = await this.find(asker, request);
        if (earlier === null) throw refusal;
        // A mismatch must not bypass the rate limit that refused its request.
        if (!isCopy(earlier, request))
          throw refusal.code === 'rate_limited' ? refusal : new AppError('idempotency_mismatch');
        if (mayRefund) await this.rateLimiter.refund(asker);
        const repeated = await repeat(earlier);
        if (repeated === null) throw refusal;
        return repeated;
      }
    });
  }

  private find({ owner }: Asker, { clientMessageId }: IdentifiedRequest): Promise<GenerationRow | null> {
    return this.store.findByClientMessage(owner, clientMessageId);
  }

  private async afterEarlierCopies<T>(
    { owner }: Asker,
    { clientMessageId }: IdentifiedRequest,
    work: () => Promise<T>,
  ): Promise<T> {
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

const isCopy = (earlier: GenerationRow, request: IdentifiedRequest): boolean =>
  earlier.request_hash === request.requestHash;
