import type { FeedbackRequest, MessageFeedback, ModelFeedback } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import type { Owner } from '../../identity/identity.js';
import { OwnerSockets } from '../sockets/owner-sockets.js';
import { FeedbackStore } from '../messages/feedback-store.js';

@Injectable()
export class FeedbackService {
  constructor(
    private readonly store: FeedbackStore,
    private readonly sockets: OwnerSockets,
  ) {}

  /** Rates an answer, or changes its rating. @throws AppError `not_found`, also while the answer is being written */
  async rate(owner: Owner, messageId: number, request: FeedbackRequest): Promise<MessageFeedback> {
    const feedback = { rating: request.rating, reason: request.reason ?? null };
    this.emit(owner, messageId, feedback, await this.store.save(owner, messageId, request));
    return feedback;
  }

  /** Removes a rating. Idempotent. @throws AppError `not_found` for a message that is not an answer of the owner */
  async remove(owner: Owner, messageId: number): Promise<void> {
    this.emit(owner, messageId, null, await this.store.remove(owner, messageId));
  }

  countsByModel(): Promise<ModelFeedback[]> {
    return this.store.countsByModel();
  }

  private emit(owner: Owner, messageId: number, feedback: MessageFeedback | null, threadId: number | null): void {
    if (threadId === null) throw new AppError('not_found');
    this.sockets.emit(owner, 'message:rated', { threadId, messageId, feedback });
  }
}
