import { Injectable } from '@nestjs/common';
import { FilesService } from '../../../files/files.service.js';
import type { ImageRequest, Provider, ProviderImage, ProviderMessage } from '../../../providers/provider.js';
import { mayBeBilled } from '../../../providers/provider-error.js';
import { ProviderRegistry } from '../../../providers/registry.js';
import { estimateTokens } from '../../../providers/token-estimate.js';
import type { GenerationRun } from '../live/generation-run.js';
import { toStoredContent } from '../../messages/message-content.js';

/** Answers a send to an image model with one image instead of streamed text. */
@Injectable()
export class ImageWriter {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly files: FilesService,
  ) {}

  /** Generates the image and records its usage. A call that was aborted or timed out counts as billed. */
  private async generate(run: GenerationRun, provider: Provider, request: ImageRequest): Promise<ProviderImage> {
    const { signal } = run.controller;
    signal.throwIfAborted();
    const estimated = { promptTokens: estimateTokens(request.prompt), completionTokens: 0 };
    try {
      const image = await provider.generateImage(request, signal);
      if (image.usage === undefined) run.meter.estimate(estimated, 1);
      else run.addUsage(image.usage, 1);
      return image;
    } catch (error) {
      if (mayBeBilled(error)) run.meter.estimate(estimated, 1);
      throw error;
    }
  }

  /** @returns the stored content of the AI message */
  async draw(run: GenerationRun, messages: readonly ProviderMessage[]): Promise<string> {
    const prompt = lastUserText(messages);
    const { modelId, connectionId, imageOptions: options } = run.spec;
    const { provider, model, connection } = this.providers.forImages(modelId, connectionId);
    run.connection = connection;
    const image = await this.generate(run, provider, { model, prompt, ...(options && { options }) });
    run.controller.signal.throwIfAborted();
    const file = await this.files.saveGenerated(
      run.owner,
      image.bytes,
      image.type,
      nameAt(new Date()),
      run.spec.target?.threadId ?? run.spec.fileThreadId ?? null,
    );
    return toStoredContent({ type: 'image_generation', imageUrl: file.url, text: prompt });
  }
}

/** The name of a downloaded image; the timestamp keeps names apart. */
function nameAt(now: Date): string {
  const [date, time] = now.toISOString().slice(0, 19).replace(/[-:]/g, '').split('T');
  return `image-${date}-${time}.png`;
}

function lastUserText(messages: readonly ProviderMessage[]): string {
  const content = messages.findLast((message) => message.role === 'user')?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
