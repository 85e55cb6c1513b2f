import { STARTERS } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { ModelsService } from '../models/models.service.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { ProviderRegistry } from '../providers/registry.js';
import { starterLines } from './starter-lines.js';

/** A pool is offered for this long, and a failure is not repeated sooner; ms. */
const LIFETIME = 10 * 60 * 1000;

/** What the model has written by then is what we take; ms. */
const IDEA_TIMEOUT_MS = 5_000;

const MAX_TOKENS = 500;

const REQUEST =
  'Write 12 varied ideas with which somebody could begin a conversation with an AI assistant: everyday help, learning, ' +
  'work, code, creativity; half of them in English and half in Indonesian. Each is one sentence of at most 15 words ' +
  'that could be sent as it stands. Answer with the sentences alone, one a line.';

/**
 * Ideas to begin with. Nobody waits for a model: answers come from the pool that it filled earlier, or from the built-in
 * list, while a new pool is made behind them. Nobody is charged for it.
 */
@Injectable()
export class StartersService {
  private pool: readonly string[] = [];
  private nextRefill = 0;
  private position = Math.floor(Math.random() * STARTERS.length);

  constructor(
    private readonly models: ModelsService,
    private readonly providers: ProviderRegistry,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The next idea: asking again gives another one. */
  next(): string {
    if (this.providers.demo) this.pool = [];
    else if (performance.now() >= this.nextRefill) void this.refill();
    const ideas = this.pool.length > 0 ? this.pool : STARTERS;
    this.position = (this.position + 1) % ideas.length;
    return ideas[this.position]!;
  }

  private async refill(): Promise<void> {
    this.nextRefill = performance.now() + LIFETIME;
    let answer = '';
    try {
      const { provider, model } = this.providers.forChat(this.models.defaultModelId());
      const request = { model, messages: [{ role: 'user' as const, content: REQUEST }], maxTokens: MAX_TOKENS };
      for await (const batch of provider.stream(request, AbortSignal.timeout(IDEA_TIMEOUT_MS))) {
        for (const event of batch) if (event.type === 'text-delta') answer += event.text;
      }
    } catch (error) {
      this.logger.debug({ err: error }, 'the ideas of the model are not all there');
    }
    const ideas = starterLines(answer);
    if (ideas.length > 0) this.pool = ideas;
  }
}
