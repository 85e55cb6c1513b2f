import { STARTERS, trimEndOf } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { ModelsService } from '../models/models.service.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { ProviderRegistry } from '../providers/registry.js';
import { SettingsService } from '../settings/settings.service.js';

/** Time between two refills, after a failure as well. */
const REFILL_INTERVAL_MS = 10 * 60 * 1000;

/** Timeout of a refill. The complete lines received by then are used. */
const REFILL_TIMEOUT_MS = 5_000;

const MAX_TOKENS = 500;

const REQUEST =
  'Write 12 varied ideas with which somebody could begin a conversation with an AI assistant: everyday help, learning, ' +
  'work, code, creativity; half of them in English and half in Indonesian. Each is one sentence of at most 15 words ' +
  'that could be sent as it stands. Answer with the sentences alone, one a line.';

/**
 * Conversation starters: the ones of the settings, if there are any. Otherwise a request is answered from a pool that the
 * default model filled earlier, or from the built-in list. It never waits for a model; a refill runs in the background.
 * Starters are free of quota.
 */
@Injectable()
export class StartersService {
  private pool: readonly string[] = [];
  private nextRefill = 0;
  private position = Math.floor(Math.random() * STARTERS.length);

  constructor(
    private readonly models: ModelsService,
    private readonly providers: ProviderRegistry,
    private readonly settings: SettingsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  next(): string {
    const own = this.settings.get().starters;
    const ideas = own.length > 0 ? own : this.offered();
    this.position = (this.position + 1) % ideas.length;
    return ideas[this.position]!;
  }

  /** The pool or the built-in list, for settings without ideas of their own. */
  private offered(): readonly string[] {
    if (this.providers.demo) this.pool = [];
    else if (performance.now() >= this.nextRefill) void this.refill();
    return this.pool.length > 0 ? this.pool : STARTERS;
  }

  private async refill(): Promise<void> {
    this.nextRefill = performance.now() + REFILL_INTERVAL_MS;
    let answer = '';
    try {
      const modelId = this.models.defaultModelId();
      const chosen = this.models.find(modelId);
      // An image model draws instead of writing ideas.
      if (chosen?.isImage) return;
      const connectionId = chosen?.connectionId ?? null;
      if (this.providers.isDemo({ modelId, connectionId, isImage: false })) return;
      const { provider, model } = this.providers.forChat(modelId, connectionId);
      const messages = [{ role: 'user' as const, content: REQUEST }];
      const request = { model, messages, maxTokens: MAX_TOKENS, separatesReasoning: true };
      await provider.stream(request, AbortSignal.timeout(REFILL_TIMEOUT_MS), (events) => {
        for (const event of events) {
          if (event.type === 'text-delta') answer += event.text;
          else if (event.type === 'text-was-reasoning') answer = '';
        }
      });
    } catch (error) {
      this.logger.debug({ err: error }, 'starter refill failed; using the lines received so far');
    }
    const ideas = starterLines(answer);
    if (ideas.length > 0) this.pool = ideas;
  }
}

const LENGTH = { min: 10, max: 200 };

/** Bullets, numbers and quotation marks that models add to lines in spite of the prompt. */
const DECORATION = /^(?:(?:[-*•]|\d+[.)])\s+|["'“”*]+)/;
const QUOTATION_MARKS = `"'“”*`;

const undecorated = (line: string): string => trimEndOf(line.replace(DECORATION, ''), QUOTATION_MARKS);

/** Extracts the ideas from a model's answer, one per line. Headings, introductions and truncated lines are left out. */
export function starterLines(answer: string): string[] {
  const lines = answer
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length <= 2 * LENGTH.max)
    .map((line) => undecorated(undecorated(line)).trim())
    .filter((line) => line.length >= LENGTH.min && line.length <= LENGTH.max && /[.?!]$/.test(line));
  return [...new Set(lines)];
}
