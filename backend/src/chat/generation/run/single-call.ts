import type { ProviderMessage, ProviderUsage } from '../../../providers/provider.js';
import { estimateTokens } from '../../../providers/token-estimate.js';
import { toStoredContent } from '../../messages/message-content.js';
import type { GenerationRun, ImageRun, RelayRun } from '../live/generation-run.js';
import type { RunServices } from './run-services.js';
import { loadPrompt } from './step-prompt.js';

/** Draws the image of a run. @returns the stored content of its message or answer */
export async function drawImage(
  run: ImageRun,
  services: Pick<RunServices, 'timings' | 'prompts' | 'providers' | 'files'>,
): Promise<string> {
  const { thread, image: detached } = run.spec;
  const prompt = detached?.prompt ?? lastUserText((await loadPrompt(run, thread!, services)).messages);
  const options = detached?.options;
  const { provider, model, connection } = services.providers.route(run.model);
  run.connection = connection;
  const request = { model, prompt, ...(options && { options }) };
  const estimate = { promptTokens: () => estimateTokens(prompt), images: 1 };
  const image = await singleCall(run, (signal) => provider.generateImage(request, signal), estimate);
  const threadId = thread?.threadId ?? detached?.fileThreadId ?? null;
  const file = await services.files.saveGenerated(run.owner, image.bytes, image.type, nameAt(new Date()), threadId);
  return toStoredContent({ type: 'image_generation', imageUrl: file.url, text: prompt });
}

/** Asks for embeddings or a transcription. @returns the answer to keep; null for none */
export async function relay(run: RelayRun): Promise<string | null> {
  const { call, promptTokens } = run.spec;
  const onProvider: Parameters<typeof call>[1] = ({ connection }) => (run.connection = connection);
  const { content } = await singleCall(run, (signal) => call(signal, onProvider), { promptTokens });
  return content;
}

/**
 * Makes a call that is not streamed and has no fallbacks, and measures its usage, estimated where the provider reports none.
 * @param promptTokens estimates what it reads
 * @throws the abort reason of the run also after its result, which is then billed
 */
async function singleCall<Result extends { usage?: ProviderUsage | null }>(
  run: GenerationRun,
  call: (signal: AbortSignal) => Promise<Result>,
  { promptTokens, images = 0 }: { promptTokens: () => number; images?: number },
): Promise<Result> {
  const { signal } = run.controller;
  signal.throwIfAborted();
  const estimate = (failure: unknown) => run.meter.estimateUnlessFree(failure, promptTokens, [], images);
  const attributes = { 'gen_ai.request.model': run.model.modelId };
  const options = { kind: 'client', attributes, isPassive: true } as const;
  const attempt = run.span.child('provider request', options, () => call(signal));
  const result = await attempt.catch((error: unknown) => {
    estimate(error);
    throw error;
  });
  if (result.usage == null) estimate(null);
  else run.addUsage(result.usage, images);
  signal.throwIfAborted();
  return result;
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
