import { Body, Controller, Headers, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentIdentity } from '../../identity/guards.js';
import type { Identity } from '../../identity/identity.js';
import { ReadsProgramJson } from '../api-body.js';
import { ApiKeyGuard } from '../api-key.guard.js';
import { CompletionAnswers } from '../completions/completion-answers.js';
import { CompletionsService } from '../completions/completions.service.js';
import { longNames } from '../completions/short-name.js';
import { validBody } from '../lenient-validation.js';
import { toChatMessages } from './message-input.js';
import { CountedMessagesDto, MESSAGE_SCHEMAS, MessageRequestDto } from './message-request.dto.js';
import { isThinkingOff, refuseUnsupported, showsThinking, toChatRequest, withOfferedTools } from './message-request.js';
import { MessageEncoder } from './message-encoder.js';

/** Anthropic's Messages API: its requests and answers are translated to and from chat completions. */
@Controller('api/v1/messages')
@UseGuards(ApiKeyGuard)
export class MessagesController {
  constructor(
    private readonly completions: CompletionsService,
    private readonly answers: CompletionAnswers,
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
    const body = withOfferedTools(given ?? {});
    const request = await validBody(body, MessageRequestDto, MESSAGE_SCHEMAS);
    refuseUnsupported(body);
    const isStreamed = request.stream === true;
    const isShown = showsThinking(request);
    const chat = toChatRequest(request, await toChatMessages(request));
    const completion = await this.completions.startCompletion(identity, chat, idempotencyKey, {
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
  ): Promise<{ input_tokens: number }> {
    const request = await validBody(withOfferedTools(body ?? {}), CountedMessagesDto, MESSAGE_SCHEMAS);
    const chat = toChatRequest(request, await toChatMessages(request));
    return { input_tokens: await this.completions.countTokens(identity, chat) };
  }
}
