import type { MessageFeedback, ModelFeedback } from '@tanya/contract';
import { Body, Controller, Delete, Get, Param, Put, UseGuards } from '@nestjs/common';
import { AdminGuard, CurrentIdentity } from '../../identity/guards.js';
import type { Identity } from '../../identity/identity.js';
import { IdPipe } from '../../platform/http/id.pipe.js';
import { FeedbackService } from '../threads/feedback.service.js';
import { FeedbackDto } from './threads.dto.js';

@Controller('api')
export class FeedbackController {
  constructor(private readonly feedback: FeedbackService) {}

  @Put('chat/messages/:id/feedback')
  rate(
    @CurrentIdentity() { owner }: Identity,
    @Param('id', IdPipe) id: number,
    @Body() body: FeedbackDto,
  ): Promise<MessageFeedback> {
    return this.feedback.rate(owner, id, body);
  }

  @Delete('chat/messages/:id/feedback')
  remove(@CurrentIdentity() { owner }: Identity, @Param('id', IdPipe) id: number): Promise<void> {
    return this.feedback.remove(owner, id);
  }

  @Get('admin/feedback')
  @UseGuards(AdminGuard)
  counts(): Promise<ModelFeedback[]> {
    return this.feedback.countsByModel();
  }
}
