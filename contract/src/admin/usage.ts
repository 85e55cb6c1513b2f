/**
 * Sums over ended generations. Tokens, cost and `unpriced` include the calls of the site itself, such as titles, which count as
 * no generation.
 */
export interface UsageSums {
  /** Ended generations, failed ones included. */
  generations: number;
  /** Messages charged. */
  messages: number;
  /** Generations that ended with an error or an interruption. */
  failures: number;
  promptTokens: number;
  completionTokens: number;
  /** Part of `promptTokens`. */
  cachedTokens: number;
  /** Part of `completionTokens`. */
  reasoningTokens: number;
  /** USD, a decimal string. Calls of unknown cost add nothing. */
  costUsd: string;
  /** Generations, and calls beside answers, of unknown cost. */
  unpriced: number;
}

/** Entries through which generations are asked for; `site` for what the server asks beside answers: titles, summaries, vectors. */
export const USAGE_CHANNELS = ['web', 'image', 'api', 'dictation', 'site'] as const;
export type UsageChannel = (typeof USAGE_CHANNELS)[number];

/** Sums of one step of time and one model, plan or channel. */
export interface UsagePoint extends UsageSums {
  /** First day of the step, `2026-11-22`; an hour is `2026-11-22T09:00`. */
  day: string;
  /** null for records of earlier versions without this field, and for the models after the first ten. */
  name: string | null;
}

export interface ModelUsage extends UsageSums {
  modelId: string;
}

/** Sums of one API key over the period. */
export interface KeyUsage extends UsageSums {
  apiKeyId: number;
  /** null for a deleted key. */
  name: string | null;
  /** The account of the key; null for a deleted key. */
  userId: number | null;
  username: string | null;
}

/** Usage between two days, both included, by UTC. A generation counts on the day on which it ended. */
export interface UsagePeriod {
  from: string;
  to: string;
  /** Length of the steps of the series: hours of one day, days, or months in a period of more than 92 days. */
  step: 'hour' | 'day' | 'month';
}

/** Narrows the usage of the installation; all that are given apply. */
export interface UsageFilter {
  userId?: number;
  keyId?: number;
  /** The public id. */
  modelId?: string;
  /** The models that the connection answers now. */
  connectionId?: number;
  plan?: (typeof USAGE_PLANS)[number];
  channel?: UsageChannel;
}

/** Plans of usage; `site` for the calls of the site itself. */
export const USAGE_PLANS = ['guest', 'free', 'premium', 'site'] as const;

/** The caller's own usage. */
export interface OwnUsage extends UsagePeriod {
  totals: UsageSums;
  byModel: UsagePoint[];
  byChannel: UsagePoint[];
  /** By cost, then by messages; at most ten, as the other lists. */
  topModels: ModelUsage[];
  topKeys: KeyUsage[];
}

/** Sums of one account or guest over the period. */
export interface PersonUsage extends UsageSums {
  /** `user:12`, `guest:<uuid>`, or `anonymous` for all deleted accounts together. */
  owner: string;
  /** null for guests and deleted accounts. */
  userId: number | null;
  username: string | null;
}

/** The usage of the installation. */
export interface UsageReport extends OwnUsage {
  totals: UsageSums & {
    /** Accounts and guests with an ended generation. All deleted accounts count as one. */
    people: number;
    /** `failures` divided by `generations`; 0 without generations. */
    errorRate: number;
    /** Milliseconds from the start to the first token; null without one, and in a filtered report. Exact to 5 %. */
    firstTokenMs: { p50: number | null; p95: number | null };
  };
  /** With the plan `site` for the calls of the site itself. */
  byPlan: UsagePoint[];
  topPeople: PersonUsage[];
  /** The calls of the site itself, such as titles and conversation ideas. */
  site: UsageSums;
}
