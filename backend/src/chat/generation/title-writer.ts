import { LIMITS, type Message, trimEndOf } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { withDeadline } from '../../platform/resilience/with-deadline.js';
import type { Owner } from '../../identity/identity.js';
import type { ChatModel } from '../../models/models.service.js';
import { ProviderRegistry } from '../../providers/registry.js';
import { OwnerSockets } from '../sockets/owner-sockets.js';
import type { RunEnd } from './live/generation-run.js';
import { searchText } from '../messages/message-content.js';
import { ThreadStore } from '../messages/thread-store.js';

const TITLE_TIMEOUT_MS = 10_000;
const MAX_TOKENS = 24;
const EXCERPT = 600;

const INSTRUCTION =
  'Give this conversation a title of at most six words, in the language of the conversation. Answer with the title alone.';

type TitleModel = Pick<ChatModel, 'modelId' | 'connectionId' | 'isImage'>;

/**
 * Gives a new thread a generated title after its first answer, free of quota. Without a hosted provider, or after an image, the
 * thread keeps its initial title.
 */
@Injectable()
export class TitleWriter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly providers: ProviderRegistry,
    private readonly threads: ThreadStore,
    private readonly sockets: OwnerSockets,
  ) {}

  async suggest(owner: Owner, threadId: number, model: TitleModel, question: Message, end: RunEnd): Promise<void> {
    if (end.status !== 'complete' || end.text === '' || model.isImage || !this.providers.isHosted(model.connectionId))
      return;
    try {
      const title = await this.writeTitle(model, searchText(question.content), end.text);
      if (title !== '' && (await this.threads.suggestTitle(threadId, title))) {
        this.sockets.emit(owner, 'thread:changed', { threadId });
      }
    } catch (error) {
      this.logger.debug({ err: error, threadId }, 'title generation failed; keeping the initial title');
    }
  }

  private async writeTitle({ modelId, connectionId }: TitleModel, question: string, answer: string): Promise<string> {
    const { provider, model } = this.providers.forChat(modelId, connectionId);
    const content = `User: ${question.slice(0, EXCERPT)}\nAssistant: ${answer.slice(0, EXCERPT)}`;
    const messages = [
      { role: 'system' as const, content: INSTRUCTION },
      { role: 'user' as const, content },
    ];
    let text = '';
    const tooLong = new AbortController();
    const request = { model, messages, maxTokens: MAX_TOKENS, separatesReasoning: true };
    await withDeadline(TITLE_TIMEOUT_MS, tooLong.signal, (signal) =>
      provider.stream(request, signal, (events) => {
        for (const event of events) {
          if (event.type === 'text-delta') text += event.text;
          else if (event.type === 'text-was-reasoning') text = '';
        }
        // A title is short, so a longer answer is not read to its end.
        if (text.length > EXCERPT) tooLong.abort();
      }),
    ).catch((error: unknown) => {
      if (!tooLong.signal.aborted) throw error;
    });
    const line = text.slice(0, EXCERPT).replace(/\s+/g, ' ');
    return Array.from(trimEndOf(line.replace(/^["'*#\s]+/, ''), `"'*. `))
      .slice(0, LIMITS.automaticTitle)
      .join('');
  }
}
