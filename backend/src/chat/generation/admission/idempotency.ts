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

/** Answers a repeated request; null when the request may begin anew. */
type Repeat<T> = (row: GenerationRow) => Promise<T | null>;

/**
 * Runs each request once, however often it is sent. Within a process repeated requests queue; across processes the unique
 * index of `client_message_id` decides.
 */
@Injectable()
export class Idempotency {
  /** Requests in admission, by owner and key. */
  private readonly inAdmission = new Map<string, Promise<unknown>>();

  constructor(private readonly store: GenerationStore) {}

  /**
   * Begins a request and looks for an earlier one only when `begin` refuses: the unique index refuses a repeated request
   * as `conflict`, and whatever else refuses it, the earlier answer stands.
   * @throws AppError `idempotency_mismatch` when the key belongs to another content; rethrows the errors of `begin`
   */
  once<T extends object>(request: IdentifiedRequest, begin: () => Promise<T>, repeat: Repeat<T>): Promise<T> {
    return this.enqueue(request, () => this.beginOrRepeat(request, begin, repeat));
  }

  /** Like `once` for a `begin` with effects before its admission: looks for an earlier request first. */
  onceUnlessKnown<T extends object>(
    request: IdentifiedRequest,
    begin: () => Promise<T>,
    repeat: Repeat<T>,
  ): Promise<T> {
    return this.enqueue(request, async () => {
      const row = await this.earlier(request);
      return (row && (await repeat(row))) ?? this.beginOrRepeat(request, begin, repeat);
    });
  }

  private async beginOrRepeat<T extends object>(
    request: IdentifiedRequest,
    begin: () => Promise<T>,
    repeat: Repeat<T>,
  ): Promise<T> {
    try {
      return await begin();
    } catch (error) {
      const row = error instanceof AppError ? await this.earlier(request) : null;
      if (row === null) throw error;
      return (await repeat(row)) ?? this.beginOrRepeat(request, begin, repeat);
    }
  }

  private async earlier({ owner, clientMessageId, requestHash }: IdentifiedRequest): Promise<GenerationRow | null> {
    const row = await this.store.findByClientMessage(owner, clientMessageId);
    if (row !== null && row.request_hash !== requestHash) throw new AppError('idempotency_mismatch');
    return row;
  }

  /** Queues parallel copies, so that one is admitted and the others get its answer. */
  private async enqueue<T>({ owner, clientMessageId }: IdentifiedRequest, work: () => Promise<T>): Promise<T> {
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
