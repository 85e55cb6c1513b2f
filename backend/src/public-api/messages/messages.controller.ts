import { Body, Controller, Headers, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DetachedGenerations } from '../../chat/generation/detached/detached-generations.js';
import { CurrentIdentity } from '../../identity/guards.js';
import type { Identity } from '../../identity/identity.js';
import { toAppError } from '../../platform/errors/error-body.js';
import { ReadsProgramJson } from '../api-body.js';
import { ApiKeyGuard } from '../api-key.guard.js';
import { CompletionsService } from '../completions/completions.service.js';
import { KeepAlive } from '../keep-alive.js';
import { validBody } from '../lenient-validation.js';
import { AnswerStream, setModelUsed } from '../completions/answer-stream.js';
import { QuotaHeaders, setQuotaHeaders } from '../quota-headers.js';
import { toChatMessages } from './message-input.js';
import { CountedMessagesDto, MESSAGE_SCHEMAS, MessageRequestDto } from './message-request.dto.js';
import { isThinkingOff, refuseUnsupported, showsThinking, toChatRequest, withOfferedTools } from './message-request.js';
import { MessageForm } from './message-form.js';
import { toWholeMessage } from './message-view.js';

/** Anthropic's Messages API: chat completions in another form. */
@Controller('api/v1/messages')
@UseGuards(ApiKeyGuard)
export class MessagesController {
  constructor(
    private readonly completions: CompletionsService,
    private readonly generations: DetachedGenerations,
    private readonly headers: QuotaHeaders,
    private readonly keepAlive: KeepAlive,
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
    const isShown = showsThinking(request);
    const chat = toChatRequest(request, await toChatMessages(request));
    const completion = await this.headers.onRefusal(identity, response, () =>
      this.completions.startCompletion(identity, chat, idempotencyKey, {
        variant: ['messages', isShown],
        hidesReasoning: !isShown,
        isThinkingOff: isThinkingOff(request),
        showsEstimate: request.stream === true,
      }),
    );
    setQuotaHeaders(response, completion.quota);
    this.completions.stopOnDisconnect(identity, completion, response);
    if (request.stream !== true) {
      const answer = await this.generations.storedAnswer(identity.owner, completion.generationId);
      const model = answer.model ?? completion.model;
      setModelUsed(response, model);
      response.json(toWholeMessage({ ...completion, model }, answer, isShown));
      return;
    }
    const form = new MessageForm(completion, httpRequest.id);
    const stream = new AnswerStream(response, this.keepAlive.open(response), form, completion);
    try {
      const answer = await this.generations.follow(identity.owner, completion, (piece, model) => {
        if (isShown || piece.type !== 'reasoning') stream.write(piece, model);
      });
      stream.end(answer);
    } catch (thrown) {
      if (!stream.hasBegun) throw thrown;
      stream.fail(toAppError(thrown));
    }
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
