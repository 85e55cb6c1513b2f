import type { ImageRequest, Provider, ProviderImage, ProviderMessage } from '../../../providers/provider.js';
import { mayBeBilled } from '../../../providers/provider-error.js';
import { estimateTokens } from '../../../providers/token-estimate.js';
import { toStoredContent } from '../../messages/message-content.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { RunServices } from './run-services.js';

/** Answers a send to an image model with one image instead of streamed text. @returns the stored content of the AI message */
export async function drawImage(
  run: GenerationRun,
  messages: readonly ProviderMessage[],
  { providers, files }: Pick<RunServices, 'providers' | 'files'>,
): Promise<string> {
  const prompt = lastUserText(messages);
  const { upstreamId, connectionId, imageOptions: options, target, fileThreadId } = run.spec;
  const { provider, model, connection } = providers.forImages(upstreamId, connectionId);
  run.connection = connection;
  const image = await generate(run, provider, { model, prompt, ...(options && { options }) });
  run.controller.signal.throwIfAborted();
  const threadId = target?.threadId ?? fileThreadId ?? null;
  const file = await files.saveGenerated(run.owner, image.bytes, image.type, nameAt(new Date()), threadId);
  return toStoredContent({ type: 'image_generation', imageUrl: file.url, text: prompt });
}

/** Generates the image and records its usage. A call that was aborted or timed out counts as billed. */
async function generate(run: GenerationRun, provider: Provider, request: ImageRequest): Promise<ProviderImage> {
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
