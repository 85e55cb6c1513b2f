import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import type { Owner } from '../../../identity/identity.js';
import { type GenerationRow, GenerationStore } from '../store/generation-store.js';

/** A request with its idempotency key and a hash of its content. */
export interface IdentifiedRequest {
  owner: Owner;
  clientMessageId: string;
  requestHash: string;
}

type Admit<T> = () => Promise<T>;

/** Answers a repeated request from its generation; null when the request may be admitted again. */
type Repeat<T> = (row: GenerationRow) => Promise<T | null>;

/**
 * Runs each request once, however often it is sent. Within a process repeated requests queue; across processes the
 * statement of the admission and the unique index of `client_message_id` decide.
 */
@Injectable()
export class Idempotency {
  private readonly inAdmission = new Map<string, Promise<unknown>>();

  constructor(private readonly store: GenerationStore) {}

  /**
   * Runs `admit`, and looks for an earlier request only when `admit` refuses, because few requests are repeats. An `admit`
   * that changes something before it can refuse must call `repeated` first.
   * @throws AppError `idempotency_mismatch` when the key belongs to another content and no rate limit is exceeded; rethrows
   * the errors of `admit`
   */
  once<T extends object>(request: IdentifiedRequest, admit: Admit<T>, repeat: Repeat<T>): Promise<T> {
    return this.enqueue(`${request.owner} ${request.clientMessageId}`, async () => {
      try {
        return await admit();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // A mismatch must not bypass the rate limit that refused its request.
        const onMismatch = () => (error.code === 'rate_limited' ? Promise.reject(error) : Promise.resolve());
        const earlier = await this.repeated(request, repeat, onMismatch);
        if (earlier === null) throw error;
        return earlier;
      }
    });
  }

  /**
   * The answer of `repeat` to an earlier request; null without one.
   * @param onMismatch runs before a mismatch is refused, such as to count a request that no admission will count
   * @throws AppError `idempotency_mismatch`; rethrows the errors of `onMismatch`
   */
  async repeated<T extends object>(
    request: IdentifiedRequest,
    repeat: Repeat<T>,
    onMismatch?: () => Promise<void>,
  ): Promise<T | null> {
    const row = await this.store.findByClientMessage(request.owner, request.clientMessageId);
    if (row === null) return null;
    if (row.request_hash === request.requestHash) return repeat(row);
    await onMismatch?.();
    throw new AppError('idempotency_mismatch');
  }

  /** Queues parallel copies, so that one is admitted and the others get its answer. */
  private async enqueue<T>(key: string, work: () => Promise<T>): Promise<T> {
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
