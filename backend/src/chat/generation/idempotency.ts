import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { Owner } from '../../platform/session/identity.js';
import { type GenerationRow, GenerationStore } from './generation-store.js';

/** A request by the id that its client gave it, and what it asks for. */
export interface IdentifiedRequest {
  owner: Owner;
  clientMessageId: string;
  requestHash: string;
}

/** Lets each request happen once, however often it comes; across processes the index of `client_message_id` decides. */
@Injectable()
export class Idempotency {
  /** Requests that are being admitted, by owner and id. */
  private readonly beginning = new Map<string, Promise<unknown>>();

  constructor(private readonly store: GenerationStore) {}

  /**
   * Looks a repeated request up before and, on any refusal, after: of many parallel copies none is refused.
   * @param repeat what a copy gets; null for one that may begin anew
   * @throws AppError `idempotency_mismatch` when the id was used for something else, and what `begin` throws
   */
  once<T extends object>(
    request: IdentifiedRequest,
    begin: () => Promise<T>,
    repeat: (row: GenerationRow) => Promise<T | null>,
  ): Promise<T> {
    const known = async (): Promise<T | null> => {
      const row = await this.store.findByClientMessage(request.owner, request.clientMessageId);
      if (row === null) return null;
      if (row.request_hash !== request.requestHash) throw new AppError('idempotency_mismatch');
      return repeat(row);
    };
    return this.inTurn(`${request.owner} ${request.clientMessageId}`, async () => {
      const before = await known();
      if (before !== null) return before;
      try {
        return await begin();
      } catch (error) {
        const twin = error instanceof AppError ? await known() : null;
        if (twin === null) throw error;
        return twin;
      }
    });
  }

  /** Copies that reach this process together go one after another, so that one is admitted and the rest is free. */
  private async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.beginning.get(key) ?? Promise.resolve();
    const own = before.catch(() => undefined).then(work);
    this.beginning.set(key, own);
    try {
      return await own;
    } finally {
      if (this.beginning.get(key) === own) this.beginning.delete(key);
    }
  }
}
