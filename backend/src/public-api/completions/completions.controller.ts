import type { ChatCompletionRequest, ModelList, ModelListEntry, PublicModel, ModelPricing } from '@tanya/contract';
import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentIdentity } from '../../identity/guards.js';
import { ModelsService, type ModelDetails } from '../../models/models.service.js';
import { AppError } from '../../platform/errors/app-error.js';
import { may } from '../../access/may.js';
import type { Identity } from '../../identity/identity.js';
import type { Fields } from '../../platform/json/fields.js';
import { ReadsProgramJson, validBody } from '../program-body.js';
import { ApiKeyGuard } from '../api-key.guard.js';
import { COMPLETION_SCHEMAS, CompletionRequestDto } from './completion-request.dto.js';
import {
  effortInOtherWords,
  instructionsIn,
  refuseForCompletions,
  withChatNames,
  withChatTools,
  withNestedSchema,
} from './completion-request.js';
import { AnswerSender } from '../answers/answer-sender.js';
import { CompletionEncoder } from './completion-encoder.js';
import { AnswersService } from '../answers/answers.service.js';
import { longNames } from '../answers/chat-parameters.js';
import { requireConversation } from '../json-fields.js';
import { PRICE_FIELDS } from '../../providers/upstream/model-capabilities.js';

/** OpenAI's chat completions, and its list of models. */
@Controller('api/v1')
@UseGuards(ApiKeyGuard)
export class CompletionsController {
  constructor(
    private readonly completions: AnswersService,
    private readonly answers: AnswerSender,
    private readonly models: ModelsService,
  ) {}

  @Post(['chat', 'chat/completions'])
  @ReadsProgramJson()
  @HttpCode(200)
  async complete(
    @CurrentIdentity() identity: Identity,
    @Body() given: Record<string, unknown> | undefined,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const { request, ...options } = await requestIn(given ?? {});
    const completion = await this.completions.startAnswer(identity, request, idempotencyKey, options);
    const asked = { ...completion, names: longNames(request.tools) };
    const encoder = new CompletionEncoder(asked, request.stream_options?.include_usage === true);
    await this.answers.send(identity, response, completion, { isStreamed: request.stream === true, encoder });
  }

  @Get('models')
  list(
    @CurrentIdentity() identity: Identity,
    @Query('client_version') codexVersion: unknown,
    @Headers('anthropic-version') anthropicVersion: string | undefined,
  ): ModelList & { models?: never[] } {
    const available = this.models.list(identity);
    const isForAnthropic = anthropicVersion !== undefined;
    return {
      object: 'list',
      data: available.map((model) => this.entryOf(model, isForAnthropic)),
      ...(isForAnthropic && anthropicPage(available)),
      // Codex decodes a list of its own, and takes an empty one as no news.
      ...(codexVersion !== undefined && { models: [] }),
    };
  }

  @Get('models/*id')
  one(
    @CurrentIdentity() identity: Identity,
    @Param('id') id: string | string[],
    @Headers('anthropic-version') anthropicVersion: string | undefined,
  ): ModelListEntry {
    const model = this.models.find([id].flat().join('/'));
    if (model === null || !may(identity, { model })) throw new AppError('model_unavailable');
    return this.entryOf(model, anthropicVersion !== undefined);
  }

  private entryOf(model: PublicModel, isForAnthropic: boolean): ModelListEntry {
    const entry = toModelEntry(model, this.models.detailsOf(model.modelId));
    return isForAnthropic ? { ...entry, ...anthropicFields(model) } : entry;
  }
}

/** What a body asks for, also in the words of other APIs. @throws AppError `invalid` naming the field */
async function requestIn(
  given: Fields,
): Promise<{ request: ChatCompletionRequest; instructions: string | undefined; defaults: readonly string[] }> {
  const body = withNestedSchema(withChatNames(withChatTools(given)));
  requireConversation(body, 'messages');
  const valid = await validBody(body, CompletionRequestDto, COMPLETION_SCHEMAS);
  const effort = effortInOtherWords(valid, body);
  refuseForCompletions(body);
  return {
    request: effort === undefined ? valid : { ...valid, reasoning_effort: effort },
    instructions: instructionsIn(body),
    // OpenRouter's clients send an effort to any model, and OpenRouter drops it where a model has none.
    defaults: effort === undefined || effort === 'none' ? [] : ['reasoning_effort'],
  };
}

/** A model as clients of OpenAI and OpenRouter read it. */
const toModelEntry = (model: PublicModel, details: ModelDetails): ModelListEntry => ({
  id: model.modelId,
  object: 'model',
  // A model of the server on this machine has no row and no time.
  created: details.createdAt === null ? 0 : Math.floor(details.createdAt.getTime() / 1000),
  owned_by: model.provider,
  context_length: details.contextLength,
  pricing: details.pricing === null ? null : pricingOf(details.pricing),
  supported_parameters: details.supportedParameters,
});

/** What a model has for Anthropic's clients besides. The time is that of models without a known one in Anthropic's list. */
const anthropicFields = ({ name }: PublicModel): object => ({
  type: 'model',
  display_name: name,
  created_at: '1970-01-01T00:00:00Z',
});

/** What a list has for Anthropic's clients besides: it is the only page. */
const anthropicPage = (models: readonly PublicModel[]): object => ({
  has_more: false,
  first_id: models[0]?.modelId ?? null,
  last_id: models.at(-1)?.modelId ?? null,
});

function pricingOf(pricing: ModelPricing): Record<string, string> {
  const names = Object.entries(PRICE_FIELDS) as [keyof ModelPricing, string][];
  return Object.fromEntries(
    names.flatMap(([field, name]) => (pricing[field] === undefined ? [] : [[name, pricing[field]]])),
  );
}
