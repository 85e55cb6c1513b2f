import { buffer } from 'node:stream/consumers';
import { parseContent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { DetachedGenerations } from '../chat/generation/detached/detached-generations.js';
import { FilesService } from '../files/files.service.js';
import type { Identity } from '../identity/identity.js';
import { AppError } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import { toBase64Pieces } from '../platform/system/slices.js';
import type { ImageOptions } from '../providers/provider.js';
import type { ImageRequestDto } from './api-images.dto.js';
import { ApiModels } from './api-models.js';
import { idempotencyOf } from './api-request.js';

export interface GeneratedImage {
  /** Epoch seconds. */
  created: number;
  bytes: Buffer;
}

/** OpenAI's response to a request for images, in pieces. */
export function* imagesJson({ created, bytes }: GeneratedImage): Generator<string> {
  yield `{"created":${created},"data":[{"b64_json":"`;
  yield* toBase64Pieces(bytes);
  yield '"}]}';
}

/** Images for programs: the same generation, price and stored file as an image of the dialog. */
@Injectable()
export class ApiImagesService {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly models: ApiModels,
    private readonly files: FilesService,
  ) {}

  /** @throws AppError `model_unavailable`, `model_premium`, `quota_exceeded`, `rate_limited`, `idempotency_mismatch`, provider errors */
  async generate(
    identity: Identity,
    request: ImageRequestDto,
    idempotencyKey: string | undefined,
  ): Promise<GeneratedImage> {
    const { prompt } = request;
    const options = optionsOf(request);
    // The model as it was asked: the default one may be another when the request is repeated.
    const content = () => ['images', request.model ?? null, prompt, ...(options ? [options] : [])];
    const key = await idempotencyOf(idempotencyKey, content);
    const { generationId } = await this.generations.start(identity, key, () => ({
      channel: 'api',
      modelId: this.models.findImage(identity, request.model).modelId,
      kind: 'image',
      prompt,
      options,
    }));
    const answer = await this.generations.storedAnswer(identity.owner, generationId);
    const { imageUrl } = parseContent(answer.choices[0].text);
    if (imageUrl === undefined) throw new AppError('provider_error', { reason: 'no_image' });
    const file = await this.files.find(identity.owner, imageUrl.slice(imageUrl.lastIndexOf('/') + 1));
    return { created: answer.created, bytes: await buffer(await this.files.read(file)) };
  }
}

/** The parameters for the upstream; undefined without any, so that requests without them have the same hash in all versions that know them. */
function optionsOf(request: ImageRequestDto): ImageOptions | undefined {
  const { size, quality, background, moderation, style, output_format, output_compression } = request;
  const options = presentFields({ size, quality, background, moderation, style, output_format, output_compression });
  return Object.keys(options).length > 0 ? options : undefined;
}
