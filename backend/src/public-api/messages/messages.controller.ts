import { Body, Controller, Headers, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentIdentity } from '../../identity/guards.js';
import type { Identity } from '../../identity/identity.js';
import { ReadsProgramJson, validBody } from '../program-body.js';
import { ApiKeyGuard } from '../api-key.guard.js';
import { AnswerSender } from '../answers/answer-sender.js';
import { QuotaHeaders } from '../quota-headers.js';
import { AnswersService } from '../answers/answers.service.js';
import { longNames } from '../answers/chat-parameters.js';
import { fromAnthropicMessages } from './message-input.js';
import { CountedMessagesDto, MESSAGE_SCHEMAS, MessageRequestDto } from './message-request.dto.js';
import {
  isThinkingOff,
  refuseForMessages,
  showsThinking,
  fromAnthropicRequest,
  withAnthropicTools,
} from './message-request.js';
import { MessageEncoder } from './message-encoder.js';

/** Anthropic's Messages API: its requests and answers are translated to and from chat completions. */
@Controller('api/v1/messages')
@UseGuards(ApiKeyGuard)
export class MessagesController {
  constructor(
    private readonly completions: AnswersService,
    private readonly answers: AnswerSender,
    private readonly headers: QuotaHeaders,
  ) {}

  @Post()
  @ReadsProgramJson()
  @HttpCode(200)
  async create(
    @CurrentIdentity() identity: Identity,
    @Body() given: Record<string, unknown>,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Req() httpRequest: Request,
    @Res() response: Response,
  ): Promise<void> {
    const body = withAnthropicTools(given ?? {});
    const request = await validBody(body, MessageRequestDto, MESSAGE_SCHEMAS);
    refuseForMessages(body);
    const isStreamed = request.stream === true;
    const isShown = showsThinking(request);
    const chat = fromAnthropicRequest(request, await fromAnthropicMessages(request));
    const completion = await this.completions.startAnswer(identity, chat, idempotencyKey, {
      variant: ['messages', isShown],
      hidesReasoning: !isShown,
      isThinkingOff: isThinkingOff(request),
      showsEstimate: isStreamed,
    });
    const asked = { showsThinking: isShown, names: longNames(chat.tools) };
    const encoder = new MessageEncoder(completion, httpRequest.id, asked);
    await this.answers.send(identity, response, completion, { isStreamed, encoder });
  }

  /** An estimate. */
  @Post('count_tokens')
  @ReadsProgramJson()
  @HttpCode(200)
  async count(
    @CurrentIdentity() identity: Identity,
    @Body() body: Record<string, unknown>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ input_tokens: number }> {
    const request = await validBody(withAnthropicTools(body ?? {}), CountedMessagesDto, MESSAGE_SCHEMAS);
    const chat = fromAnthropicRequest(request, await fromAnthropicMessages(request));
    const tokens = await this.completions.countTokens(identity, chat);
    await this.headers.add(identity, response);
    return { input_tokens: tokens };
  }
}
