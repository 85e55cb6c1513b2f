import type { CountedResponse, DeletedResponse } from '@tanya/contract';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentIdentity } from '../../identity/guards.js';
import type { Identity } from '../../identity/identity.js';
import { ReadsProgramJson, validBody } from '../program-body.js';
import { invalidField } from '../../platform/errors/app-error.js';
import { type RateLimit, RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { ApiKeyGuard } from '../api-key.guard.js';
import { AnswerSender, setModelUsed } from '../answers/answer-sender.js';
import { type JsonFields, requireConversation } from '../json-fields.js';
import { QuotaHeaders, setQuotaHeaders } from '../quota-headers.js';
import { withResponseTools } from './offered-tools.js';
import {
  CompactRequestDto,
  CountedResponseDto,
  RESPONSE_SCHEMAS,
  ResponseOptionsDto,
  responseInput,
} from './response-request.dto.js';
import { refuseForResponses, withConfiguration, withResponseNames } from './response-request.js';
import { ResponseSender, sendEvents } from './response-sender.js';
import { ResponsesService } from './responses.service.js';

/** Reads and deletions of stored responses by one account, per minute. */
const READS: RateLimit = { name: 'response-reads', points: 600, window: 60 };

/** OpenAI's Responses API. */
@Controller('api/v1/responses')
@UseGuards(ApiKeyGuard)
export class ResponsesController {
  constructor(
    private readonly responses: ResponsesService,
    private readonly sender: ResponseSender,
    private readonly answers: AnswerSender,
    private readonly limits: RateLimits,
    private readonly headers: QuotaHeaders,
  ) {}

  @Post()
  @ReadsProgramJson()
  @HttpCode(200)
  async respond(
    @CurrentIdentity() identity: Identity,
    @Body() given: Record<string, unknown> | undefined,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const body = withConfiguration(withResponseNames(withResponseTools(given ?? {})));
    refuseForResponses(body);
    requireConversation(body, 'input');
    const options = await validBody(body, ResponseOptionsDto, RESPONSE_SCHEMAS);
    const request = { ...options, input: responseInput(body['input']) };
    const started = await this.responses.startResponse(identity, request, idempotencyKey);
    await this.sender.send(identity, response, started, request.stream === true);
  }

  /** A conversation in fewer words, for clients whose context is nearly full. */
  @Post('compact')
  @ReadsProgramJson()
  @HttpCode(200)
  async compact(
    @CurrentIdentity() identity: Identity,
    @Body() given: Record<string, unknown> | undefined,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const request = await conversationIn(given ?? {}, CompactRequestDto);
    const summary = await this.responses.startCompaction(identity, request, idempotencyKey);
    setQuotaHeaders(response, summary.completion.quota);
    this.answers.stopOnDisconnect(identity, response, summary.completion);
    const { model, ...compacted } = await this.responses.completeCompaction(identity, summary);
    setModelUsed(response, model);
    response.json(compacted);
  }

  /** An estimate of the tokens of a request. */
  @Post('input_tokens')
  @ReadsProgramJson()
  @HttpCode(200)
  async count(
    @CurrentIdentity() identity: Identity,
    @Body() given: Record<string, unknown> | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CountedResponse> {
    const body = withConfiguration(withResponseNames(withResponseTools(given ?? {})));
    refuseForResponses(body);
    const request = await conversationIn(body, CountedResponseDto, RESPONSE_SCHEMAS);
    const tokens = await this.responses.countTokens(identity, request);
    await this.headers.add(identity, response);
    return { object: 'response.input_tokens', input_tokens: tokens };
  }

  @Get(':id')
  async read(
    @CurrentIdentity() identity: Identity,
    @Param('id') id: string,
    @Query('stream') stream: unknown,
    @Query('starting_after') startingAfter: unknown,
    @Res() response: Response,
  ): Promise<void> {
    await this.limits.consume(READS, identity.owner);
    if (!isTrue(stream)) {
      response.json(await this.responses.get(identity, id));
      return;
    }
    const reading = await this.responses.resume(identity, id, numberOf(startingAfter));
    await sendEvents(response, reading);
  }

  @Delete(':id')
  async remove(@CurrentIdentity() identity: Identity, @Param('id') id: string): Promise<DeletedResponse> {
    await this.limits.consume(READS, identity.owner);
    return this.responses.delete(identity, id);
  }
}

/** A request with its conversation, which may consist of earlier responses alone. @throws AppError `invalid` */
async function conversationIn<T extends object>(
  { input, ...options }: Record<string, unknown>,
  type: new () => T,
  json?: JsonFields,
): Promise<T & { input: string | unknown[] }> {
  const request = await validBody(options, type, json);
  return { ...request, input: input === undefined || input === null ? [] : responseInput(input) };
}

/** @throws AppError `invalid` */
function isTrue(stream: unknown): boolean {
  if (stream === undefined || stream === 'false') return false;
  if (stream === 'true') return true;
  throw invalidField('stream', 'stream must be true or false');
}

/** The number of the last event that the client has; -1 for none. @throws AppError `invalid` */
function numberOf(startingAfter: unknown): number {
  if (startingAfter === undefined) return -1;
  if (typeof startingAfter === 'string' && /^\d{1,9}$/.test(startingAfter)) return Number(startingAfter);
  throw invalidField('starting_after', 'starting_after must be the sequence_number of an event');
}
