import { buffer } from 'node:stream/consumers';
import { IMAGE_MODEL_IDS, parseContent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { DetachedGenerations, type DetachedRequest } from '../chat/generation/detached-generations.js';
import { FilesService } from '../files/files.service.js';
import { type Identity, mayUseModel } from '../identity/identity.js';
import { ModelsService } from '../models/models.service.js';
import { AppError } from '../platform/errors/app-error.js';
import { presentFields } from '../platform/http/present-fields.js';
import type { ImageOptions } from '../providers/provider.js';
import type { ImageRequestDto } from './api-images.dto.js';
import { identityOf, unavailableModel } from './api-request.js';
import { RelayedModels } from './relayed-models.js';

/** OpenAI's response to a request for images. */
interface ImagesResponse {
  /** Epoch seconds. */
  created: number;
  data: { b64_json: string }[];
}

/** Images for programs: the same generation, price and stored file as an image of the dialog. */
@Injectable()
export class ApiImagesService {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly models: ModelsService,
    private readonly relayed: RelayedModels,
    private readonly files: FilesService,
  ) {}

  /** @throws AppError `model_unavailable`, `model_premium`, `quota_exceeded`, `rate_limited`, `idempotency_mismatch`, provider errors */
  async generate(
    identity: Identity,
    request: ImageRequestDto,
    idempotencyKey: string | undefined,
  ): Promise<ImagesResponse> {
    const { prompt } = request;
    const { modelId, ...model } = this.modelFor(identity, request.model);
    const imageOptions = optionsOf(request);
    const { generationId } = await this.generations.start(identity, {
      channel: 'api',
      ...(await identityOf(idempotencyKey, () => ['images', modelId, prompt, ...(imageOptions ? [imageOptions] : [])])),
      modelId,
      ...model,
      imageOptions,
      prompt: async (_owner, shrink) =>
        shrink ? null : { messages: [{ role: 'user', content: prompt }], notice: null },
    });
    const answer = await this.generations.answer(identity.owner, generationId);
    const { imageUrl } = parseContent(answer.text);
    if (imageUrl === undefined) throw new AppError('provider_error');
    const file = await this.files.find(identity.owner, imageUrl.slice(imageUrl.lastIndexOf('/') + 1));
    const bytes = await buffer(await this.files.read(file));
    return { created: answer.created, data: [{ b64_json: bytes.toString('base64') }] };
  }

  /** One of the image models, which the dialog has too; any other model is relayed to a connection. */
  private modelFor(
    identity: Identity,
    requested: string | undefined,
  ): Pick<DetachedRequest, 'modelId' | 'model' | 'chooseImage'> {
    if (requested === undefined || IMAGE_MODEL_IDS.includes(requested))
      return { modelId: this.imageModel(identity, requested) };
    const { choose: chooseImage, ...model } = this.relayed.find(requested);
    return { ...model, chooseImage };
  }

  /** The named image model, or the first that is enabled and allowed to the key. `gpt-image-1` and `openai/gpt-image-1` are one model. */
  private imageModel(identity: Identity, requested: string | undefined): string {
    const isUsable = (id: string): boolean => {
      const model = this.models.find(id);
      return model !== null && model.isEnabled && model.isApiEnabled && mayUseModel(identity, id);
    };
    const usable = IMAGE_MODEL_IDS.filter(isUsable);
    const chosen = usable.find((id) => id === requested) ?? usable[0];
    if (chosen === undefined) throw unavailableModel(requested ?? IMAGE_MODEL_IDS[0]!);
    return chosen;
  }
}

/** The parameters for the upstream; undefined without any, so that the hashes of earlier requests stay the same. */
function optionsOf(request: ImageRequestDto): ImageOptions | undefined {
  const { size, quality, background, moderation, style, output_format, output_compression } = request;
  const options = presentFields({ size, quality, background, moderation, style, output_format, output_compression });
  return Object.keys(options).length > 0 ? options : undefined;
}
