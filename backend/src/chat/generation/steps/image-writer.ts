import { IMAGE_MODEL_IDS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { FilesService } from '../../../files/files.service.js';
import type { ProviderMessage } from '../../../providers/provider.js';
import { ProviderRegistry } from '../../../providers/registry.js';
import type { GenerationRun } from '../run/generation-run.js';
import { toStoredContent } from '../../messages/message-content.js';

/** Answers a send to an image model with one image instead of streamed text. */
@Injectable()
export class ImageWriter {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly files: FilesService,
  ) {}

  draws(modelId: string): boolean {
    return IMAGE_MODEL_IDS.includes(modelId);
  }

  /** @returns the stored content of the AI message */
  async draw(run: GenerationRun, messages: readonly ProviderMessage[]): Promise<string> {
    const prompt = lastUserText(messages);
    const { provider, model, connection } = this.providers.forImages(run.spec.modelId, run.spec.connectionId);
    run.connection = connection;
    const image = await provider.generateImage({ model, prompt }, run.controller.signal);
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
