import { IMAGE_MODEL_IDS, type ModelList, type PublicModel, type Quota } from '@tanya/contract';
import { Body, Controller, Get, Headers, HttpCode, Param, Post, Res, UseGuards, ValidationPipe } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentIdentity } from '../identity/guards.js';
import { ModelsService } from '../models/models.service.js';
import { AppError, ERROR_KINDS, invalidField } from '../platform/errors/app-error.js';
import { toAppError } from '../platform/errors/error-body.js';
import type { Identity } from '../identity/identity.js';
import { QuotaService } from '../quota/quota.service.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { CompletionRequestDto } from './completion-request.dto.js';
import { refuseUnsupported } from './completion-request.js';
import { CompletionStream } from './completion-stream.js';
import { type Completion, CompletionsService } from './completions.service.js';

/** Ignores unknown fields, which OpenAI's clients send. Other routes refuse them. */
const lenientValidation = new ValidationPipe({
  whitelist: true,
  transform: true,
  stopAtFirstError: true,
  exceptionFactory: (errors) => {
    let [first] = errors;
    const path: string[] = [];
    for (; first !== undefined; first = first.children?.[0]) {
      path.push(first.property);
      if (first.constraints !== undefined) break;
    }
    return invalidField(path.join('.'), Object.values(first?.constraints ?? {})[0] ?? ERROR_KINDS.invalid.message);
  },
});

const isAvailable = (model: PublicModel): boolean =>
  model.isEnabled && model.isApiEnabled && !IMAGE_MODEL_IDS.includes(model.modelId);

const toModelEntry = (model: PublicModel): ModelList['data'][number] => ({
  id: model.modelId,
  object: 'model',
  created: 0,
  owned_by: model.provider,
});

/** `/api/v1`: the part of OpenAI's API that its official client needs, for accounts with an API key. */
@Controller('api/v1')
@UseGuards(ApiKeyGuard)
export class CompletionsController {
  constructor(
    private readonly completions: CompletionsService,
    private readonly models: ModelsService,
    private readonly quotas: QuotaService,
  ) {}

  @Post(['chat', 'chat/completions'])
  @HttpCode(200)
  async complete(
    @CurrentIdentity() identity: Identity,
    @Body() body: Record<string, unknown>,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const request = (await lenientValidation.transform(body ?? {}, {
      type: 'body',
      metatype: CompletionRequestDto,
    })) as CompletionRequestDto;
    refuseUnsupported(body);
    const completion = await this.completions
      .begin(identity, request, idempotencyKey)
      .catch((error: unknown) => this.rejectWithQuota(error, identity, response));
    setQuotaHeaders(response, completion.quota);
    const stopOnDisconnect = () => {
      if (!response.writableFinished) void this.completions.stop(identity, completion).catch(() => undefined);
    };
    // The client may have disconnected before the generation existed.
    if (response.closed) stopOnDisconnect();
    else response.on('close', stopOnDisconnect);
    if (request.stream) await this.stream(identity, completion, request, response);
    else response.json(await this.completions.complete(identity, completion));
  }

  @Get('models')
  list(): ModelList {
    return { object: 'list', data: this.models.list().filter(isAvailable).map(toModelEntry) };
  }

  @Get('models/*id')
  one(@Param('id') id: string | string[]): ModelList['data'][number] {
    const model = this.models.find([id].flat().join('/'));
    if (model === null || !isAvailable(model)) throw new AppError('model_unavailable');
    return toModelEntry(model);
  }

  /** Adds the quota headers to `quota_exceeded`, so that the client sees when its quota resets. */
  private async rejectWithQuota(error: unknown, identity: Identity, response: Response): Promise<never> {
    if (error instanceof AppError && error.code === 'quota_exceeded') {
      setQuotaHeaders(response, await this.quotas.quotaOf(identity));
    }
    throw error;
  }

  private async stream(
    identity: Identity,
    completion: Completion,
    request: CompletionRequestDto,
    response: Response,
  ): Promise<void> {
    const stream = new CompletionStream(response, { ...completion, created: Math.floor(Date.now() / 1000) });
    try {
      const answer = await this.completions.stream(identity, completion, (text) => stream.write(text));
      stream.end(answer, request.stream_options?.include_usage === true);
    } catch (error) {
      if (!stream.hasBegun) throw error;
      stream.fail(toAppError(error));
    }
  }
}

function setQuotaHeaders(response: Response, { max, remaining, resetsAt }: Quota): void {
  response.setHeader('x-ratelimit-limit-requests', String(max));
  response.setHeader('x-ratelimit-remaining-requests', String(remaining));
  // Without a reset period there is no time of a reset.
  if (resetsAt === null) return;
  const seconds = Math.max(0, Math.ceil((Date.parse(resetsAt) - Date.now()) / 1000));
  response.setHeader('x-ratelimit-reset-requests', `${seconds}s`);
}
