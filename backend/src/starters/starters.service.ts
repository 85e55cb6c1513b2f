import { type ConversationStarter, STARTERS, trimEndOf } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { ModelsService } from '../models/models.service.js';
import { LOGGER, type Logger } from '../platform/observability/logging.js';
import { ProviderRegistry } from '../providers/registry.js';
import { isApology, SiteCalls } from '../quota/site-calls.js';
import { SettingsService } from '../settings/settings.service.js';

/** Time between two refills of a language, after a failure as well. */
const REFILL_INTERVAL_MS = 10 * 60 * 1000;

/** Timeout of a refill. The complete lines received by then are used. */
const REFILL_TIMEOUT_MS = 5_000;

const MAX_TOKENS = 500;

/** No twelve ideas are as long. */
const MAX_CHARACTERS = 4_000;

const LANGUAGES = { en: 'English', id: 'Indonesian' };

export type IdeaLanguage = keyof typeof LANGUAGES;

const requestIn = (language: IdeaLanguage): string =>
  'Write 12 varied ideas with which somebody could begin a conversation with an AI assistant: everyday help, learning, ' +
  `work, code, creativity. Write all of them in ${LANGUAGES[language]}. Each is one sentence of 4 to 15 words that could be ` +
  'sent as it stands. Answer with the sentences alone, one a line.';

interface Pool {
  ideas: readonly string[];
  /** Time of the next refill, by performance.now(). */
  nextRefill: number;
}

/**
 * Conversation starters: the ones of the settings, if there are any. Otherwise a request is answered from a pool of its
 * language that the default model filled earlier, or from the built-in list. It never waits for a model; a refill runs in the
 * background, at the site's cost.
 */
@Injectable()
export class StartersService {
  private readonly pools: Record<IdeaLanguage, Pool> = {
    en: { ideas: [], nextRefill: 0 },
    id: { ideas: [], nextRefill: 0 },
  };
  private position = Math.floor(Math.random() * STARTERS.length);

  constructor(
    private readonly models: ModelsService,
    private readonly providers: ProviderRegistry,
    private readonly calls: SiteCalls,
    private readonly settings: SettingsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A built-in idea is English in both languages: the page has the translations. */
  next(language: IdeaLanguage): ConversationStarter {
    const own = this.settings.get().starters;
    const ideas = own.length > 0 ? own : this.offered(language);
    this.position = (this.position + 1) % ideas.length;
    return { prompt: ideas[this.position]! };
  }

  /** The pool or the built-in list, for settings without ideas of their own. */
  private offered(language: IdeaLanguage): readonly string[] {
    const pool = this.pools[language];
    if (!this.settings.get().generatedIdeas || this.providers.demo) pool.ideas = [];
    else if (performance.now() >= pool.nextRefill) {
      pool.nextRefill = performance.now() + REFILL_INTERVAL_MS;
      void this.refill(language).catch((error: unknown) => this.logger.warn({ err: error }, 'refill of ideas failed'));
    }
    return pool.ideas.length > 0 ? pool.ideas : STARTERS;
  }

  private async refill(language: IdeaLanguage): Promise<void> {
    const modelId = this.models.defaultModelId();
    const model = this.models.find(modelId);
    // An image model draws instead of writing ideas.
    const routed = model ?? { upstreamId: modelId, connectionId: null, kind: 'chat' };
    if (routed.kind === 'image' || this.providers.isDemo(routed)) return;
    const { text } = await this.calls.ask({
      purpose: 'ideas',
      model: model ?? { modelId, upstreamId: modelId, connectionId: null, contextLength: null },
      messages: [{ role: 'user', content: requestIn(language) }],
      maxTokens: MAX_TOKENS,
      maxCharacters: MAX_CHARACTERS,
      timeoutMs: REFILL_TIMEOUT_MS,
    });
    const ideas = starterLines(text);
    if (ideas.length > 0) this.pools[language].ideas = ideas;
  }
}

const LENGTH = { min: 10, max: 200 };
const WORDS = { min: 3, max: 25 };

/** Ideas that the page shows at once. A model that gives fewer has answered something else. */
const MIN_IDEAS = 4;

/** Bullets, numbers and quotation marks that models add to lines in spite of the prompt. */
const DECORATION = /^(?:(?:[-*•]|\d+[.)])\s+|["'“”*]+)/;
const QUOTATION_MARKS = `"'“”*`;

const undecorated = (line: string): string => trimEndOf(line.replace(DECORATION, ''), QUOTATION_MARKS);

const isIdea = (line: string): boolean => {
  const words = line.split(/\s+/).length;
  const isSentence = line.length >= LENGTH.min && line.length <= LENGTH.max && /[.?!]$/.test(line);
  return isSentence && words >= WORDS.min && words <= WORDS.max;
};

/**
 * Extracts the ideas from a model's answer, one per line. Headings, introductions and truncated lines are left out. An answer
 * with fewer ideas than the page shows, or that begins with an apology, has none.
 */
export function starterLines(answer: string): string[] {
  const lines = answer
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length <= 2 * LENGTH.max)
    .map((line) => undecorated(undecorated(line)).trim());
  const ideas = [...new Set(lines.filter(isIdea))];
  return ideas.length < MIN_IDEAS || isApology(lines.find(Boolean) ?? '') ? [] : ideas;
}
