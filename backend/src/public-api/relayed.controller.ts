import { pipeline } from 'node:stream/promises';
import { LIMITS } from '@tanya/contract';
import { Body, Controller, Headers, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentIdentity } from '../identity/guards.js';
import type { Identity } from '../identity/identity.js';
import { ReadsProgramJson, validBody } from './program-body.js';
import { inSlices } from '../platform/system/slices.js';
import { drainBody } from '../platform/http/drain-body.js';
import { ApiImagesService, imagesJson } from './api-images.service.js';
import { ImageRequestDto } from './api-images.dto.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { embeddingInput, EmbeddingOptionsDto } from './embedding-request.dto.js';
import { EmbeddingsService } from './embeddings.service.js';
import { QuotaHeaders } from './quota-headers.js';
import { ApiTranscriptions } from './api-transcriptions.service.js';

/** Embeddings, images and transcriptions of `/api/v1`. */
@Controller('api/v1')
@UseGuards(ApiKeyGuard)
export class RelayedController {
  constructor(
    private readonly embeddings: EmbeddingsService,
    private readonly images: ApiImagesService,
    private readonly transcriptions: ApiTranscriptions,
    private readonly headers: QuotaHeaders,
  ) {}

  @Post('embeddings')
  @ReadsProgramJson()
  @HttpCode(200)
  async embed(
    @CurrentIdentity() identity: Identity,
    @Body() body: Record<string, unknown>,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const options = await validBody(body, EmbeddingOptionsDto);
    const request = { ...options, input: embeddingInput(body?.['input']) };
    const { account, received, stored } = await this.embeddings.startEmbedding(identity, request, idempotencyKey);
    const json = await Promise.race([received, stored.then(() => null)]);
    await this.headers.add(identity, response, account);
    response.type('application/json');
    if (json === null) {
      response.end(await stored);
      return;
    }
    // Megabytes are sent while the end is stored. The last byte waits for it: without it the response is not JSON.
    response.setHeader('Content-Length', json.length);
    response.write(json.subarray(0, -1));
    await stored;
    response.end(json.subarray(-1));
  }

  @Post('images/generations')
  @ReadsProgramJson(LIMITS.jsonBytes)
  @HttpCode(200)
  async generateImage(
    @CurrentIdentity() identity: Identity,
    @Body() body: Record<string, unknown>,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const request = await validBody(body, ImageRequestDto);
    const image = await this.images.generate(identity, request, idempotencyKey);
    await this.headers.add(identity, response);
    response.type('json');
    // The status is sent already: a disconnect can only cut the picture.
    await pipeline(inSlices(imagesJson(image)), response).catch(() => response.destroy());
  }

  @Post('audio/transcriptions')
  @HttpCode(200)
  async transcribe(
    @CurrentIdentity() identity: Identity,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { type, body } = await this.transcriptions.transcribe(identity, request, idempotencyKey);
    // Reads the bytes after the end of the form.
    await drainBody(request);
    await this.headers.add(identity, response);
    response.type(type).send(body);
  }
}
