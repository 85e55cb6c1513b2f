import { randomUUID } from 'node:crypto';
import {
  type GenerationApproved,
  type GenerationStopped,
  LIMITS,
  type OutgoingMessage,
  parseContent,
  type SendMessageResponse,
  toMessageObject,
} from '@tanya/contract';
import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentIdentity } from '../../identity/guards.js';
import { DataUrlFiles, withFutureFiles } from '../../files/data-url-files.js';
import { AppError, errorWithSentence } from '../../platform/errors/app-error.js';
import type { Identity } from '../../identity/identity.js';
import { ReadsJson } from '../../identity/reads-json.js';
import { parseText } from '../../platform/json/json-text.js';
import { CLIENT_JSON, JsonTooLarge, parseWithin } from '../../platform/json/json-scan.js';
import { UuidPipe } from '../../platform/http/id.pipe.js';
import { createValidationPipe } from '../../platform/http/validation.pipe.js';
import { QuotaService } from '../../quota/quota.service.js';
import { ApproveDto, OutgoingMessageDto, SendMessageDto, requireContent } from './chat.dto.js';
import { SendRateLimiter } from '../generation/admission/send-rate-limiter.js';
import { GenerationStopper } from '../generation/generation-stopper.js';
import { GenerationWaiter } from '../generation/end/generation-waiter.js';
import { GenerationService } from '../generation/generation.service.js';
import { MessageStore } from '../messages/message-store.js';

const validation = createValidationPipe();

/** Sends over REST. The generation is the same as over the socket; the call answers when it has ended or waits for approval. */
@Controller('api/chat')
export class ChatController {
  constructor(
    private readonly generations: GenerationService,
    private readonly stopper: GenerationStopper,
    private readonly waiter: GenerationWaiter,
    private readonly messages: MessageStore,
    private readonly quotas: QuotaService,
    private readonly files: DataUrlFiles,
    private readonly rateLimiter: SendRateLimiter,
  ) {}

  @Post('message')
  @ReadsJson({ bytes: LIMITS.messageJsonBytes, ...CLIENT_JSON })
  async send(
    @CurrentIdentity() identity: Identity,
    @Body() body: SendMessageDto,
    @Req() request: Request,
  ): Promise<SendMessageResponse> {
    // Clients of the specification send images and documents as data URLs in the JSON; they are stored like uploads.
    const given = (await messageIn(body.content)) ?? { text: body.content };
    // The content is up to 24 MB, and the message has them again.
    body.content = '';
    request.body = undefined;
    // A refused message stores no files.
    await outgoing(withFutureFiles(given));
    const { threadId: sentTo = null, model = null, clientMessageId = randomUUID(), ...options } = body;
    const storing = { seed: body.clientMessageId, check: () => this.rateLimiter.checkAll(identity) };
    const started = await this.files.withStoredDataUrls(identity, given, storing, async (stored) =>
      this.generations.send(identity, {
        ...options,
        clientMessageId,
        threadId: sentTo,
        model,
        content: await outgoing(stored),
      }),
    );
    await this.waiter.ended(started.generationId);
    const aiMessage = await this.messages.find(started.aiMessage.id);
    if (aiMessage === null) throw new AppError('not_found');
    if (aiMessage.status === 'error' && aiMessage.error !== null)
      throw errorWithSentence({ ...aiMessage.error, generationId: started.generationId });
    const { threadId, userMessage } = started;
    const aiResponse = parseContent(aiMessage.content).text;
    return { threadId, userMessage, aiMessage, aiResponse, quota: await this.quotas.quotaOf(identity) };
  }

  @Post('generations/:id/stop')
  @HttpCode(200)
  async stop(@CurrentIdentity() identity: Identity, @Param('id', UuidPipe) id: string): Promise<GenerationStopped> {
    return { status: await this.stopper.stop(identity.owner, id) };
  }

  @Post('generations/:id/approve')
  @HttpCode(200)
  async approve(
    @CurrentIdentity() identity: Identity,
    @Param('id', UuidPipe) id: string,
    @Body() decision: ApproveDto,
  ): Promise<GenerationApproved> {
    return { status: await this.generations.decide(identity.owner, { ...decision, generationId: id }) };
  }
}

/** A document of the largest size as a data URL is the longest text of a message. */
const MESSAGE_JSON = { ...CLIENT_JSON, text: Math.ceil((LIMITS.documentBytes * 4) / 3) + 1_000 };

/** The message object in a content; null for plain text. @throws JsonTooLarge for a content that is too long for a text */
async function messageIn(content: string): Promise<Record<string, unknown> | null> {
  const mayBeText = content.length <= LIMITS.messageText;
  if (mayBeText && !/^\s*\{/.test(content)) return null;
  try {
    const parsed = mayBeText ? parseWithin(content, MESSAGE_JSON) : await parseText(content, MESSAGE_JSON);
    return toMessageObject(parsed);
  } catch (error) {
    // No message has so many levels: someone sends JSON or code as the text.
    if (error instanceof JsonTooLarge && !mayBeText) throw error;
    return null;
  }
}

/** @throws AppError `invalid` */
async function outgoing(given: Record<string, unknown>): Promise<OutgoingMessage> {
  const metadata = { type: 'body', metatype: OutgoingMessageDto } as const;
  return requireContent((await validation.transform(given, metadata)) as OutgoingMessageDto);
}
