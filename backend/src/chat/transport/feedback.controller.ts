import type { MessageFeedback, ModelFeedback } from '@tanya/contract';
import { Body, Controller, Delete, Get, Param, Put, UseGuards } from '@nestjs/common';
import { AdminGuard, CurrentIdentity } from '../../identity/guards.js';
import type { Identity, Owner } from '../../identity/identity.js';
import { AppError } from '../../platform/errors/app-error.js';
import { IdPipe } from '../../platform/http/id.pipe.js';
import { FeedbackStore } from '../messages/feedback-store.js';
import { OwnerSockets } from '../sockets/owner-sockets.js';
import { FeedbackDto } from './threads.dto.js';

@Controller('api')
export class FeedbackController {
  constructor(
    private readonly store: FeedbackStore,
    private readonly sockets: OwnerSockets,
  ) {}

  @Put('chat/messages/:id/feedback')
  async rate(
    @CurrentIdentity() { owner }: Identity,
    @Param('id', IdPipe) messageId: number,
    @Body() body: FeedbackDto,
  ): Promise<MessageFeedback> {
    const feedback = { rating: body.rating, reason: body.reason ?? null };
    this.emit(owner, messageId, feedback, await this.store.save(owner, messageId, body));
    return feedback;
  }

  @Delete('chat/messages/:id/feedback')
  async remove(@CurrentIdentity() { owner }: Identity, @Param('id', IdPipe) messageId: number): Promise<void> {
    this.emit(owner, messageId, null, await this.store.remove(owner, messageId));
  }

  @Get('admin/feedback')
  @UseGuards(AdminGuard)
  counts(): Promise<ModelFeedback[]> {
    return this.store.countsByModel();
  }

  /** @param threadId null for a message that is not a finished answer of the owner @throws AppError `not_found` */
  private emit(owner: Owner, messageId: number, feedback: MessageFeedback | null, threadId: number | null): void {
    if (threadId === null) throw new AppError('not_found');
    this.sockets.emit(owner, 'message:rated', { threadId, messageId, feedback });
  }
}
