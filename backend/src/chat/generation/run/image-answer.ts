import type { ImageRequest, Provider, ProviderImage, ProviderMessage } from '../../../providers/provider.js';
import { mayBeBilled } from '../../../providers/provider-error.js';
import { estimateTokens } from '../../../providers/token-estimate.js';
import { toStoredContent } from '../../messages/message-content.js';
import type { ImageRun } from '../live/generation-run.js';
import type { RunServices } from './run-services.js';
import { loadPrompt } from './step-prompt.js';

export async function imagePrompt(run: ImageRun, services: RunServices): Promise<string> {
  const { thread, image } = run.spec;
  if (image !== null) return image.prompt;
  const { messages } = await loadPrompt(run, thread, services);
  return lastUserText(messages);
}

/** Draws the image of a run. @returns the stored content of its message or answer */
export async function drawImage(
  run: ImageRun,
  prompt: string,
  { providers, files }: Pick<RunServices, 'providers' | 'files'>,
): Promise<string> {
  const { thread, image: detached } = run.spec;
  const { upstreamId, connectionId } = run.model;
  const options = detached?.options;
  const { provider, model, connection } = providers.forImages(upstreamId, connectionId);
  run.connection = connection;
  const image = await generate(run, provider, { model, prompt, ...(options && { options }) });
  run.controller.signal.throwIfAborted();
  const threadId = thread?.threadId ?? detached?.fileThreadId ?? null;
  const file = await files.saveGenerated(run.owner, image.bytes, image.type, nameAt(new Date()), threadId);
  return toStoredContent({ type: 'image_generation', imageUrl: file.url, text: prompt });
}

/** Generates the image and records its usage. A call that was aborted or timed out counts as billed. */
async function generate(run: ImageRun, provider: Provider, request: ImageRequest): Promise<ProviderImage> {
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
