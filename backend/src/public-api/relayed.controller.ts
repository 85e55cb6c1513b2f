import { Body, Controller, Headers, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { drainBody } from '../platform/http/drain-body.js';
import { ApiImagesService } from './api-images.service.js';
import { ImageRequestDto } from './api-images.dto.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { EmbeddingRequestDto } from './embedding-request.dto.js';
import { EmbeddingsService } from './embeddings.service.js';
import { validBody } from './lenient-validation.js';
import { QuotaHeaders } from './quota-headers.js';
import { TranscriptionsService } from './transcriptions.service.js';

/** The calls of `/api/v1` that are not chat. */
@Controller('api/v1')
@UseGuards(ApiKeyGuard)
export class RelayedController {
  constructor(
    private readonly embeddings: EmbeddingsService,
    private readonly images: ApiImagesService,
    private readonly transcriptions: TranscriptionsService,
    private readonly headers: QuotaHeaders,
  ) {}

  @Post('embeddings')
  @HttpCode(200)
  async embed(
    @CurrentIdentity() identity: Identity,
    @Body() body: Record<string, unknown>,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const request = await validBody(body, EmbeddingRequestDto);
    const json = await this.headers.onRefusal(identity, response, () =>
      this.embeddings.embed(identity, request, idempotencyKey),
    );
    await this.headers.add(identity, response);
    response.type('application/json').send(json);
  }

  @Post('images/generations')
  @HttpCode(200)
  async generateImage(
    @CurrentIdentity() identity: Identity,
    @Body() body: Record<string, unknown>,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const request = await validBody(body, ImageRequestDto);
    const image = await this.headers.onRefusal(identity, response, () =>
      this.images.generate(identity, request, idempotencyKey),
    );
    await this.headers.add(identity, response);
    response.json(image);
  }
  @Post('audio/transcriptions')
  @HttpCode(200)
  async transcribe(
    @CurrentIdentity() identity: Identity,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { type, body } = await this.headers.onRefusal(identity, response, () =>
      this.transcriptions.transcribe(identity, request, idempotencyKey),
    );
    // Reads the bytes after the end of the form.
    await drainBody(request);
    await this.headers.add(identity, response);
    response.type(type).send(body);
  }
}
