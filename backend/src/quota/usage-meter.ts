import type { ModelPricing } from '@tanya/contract';
import Big from 'big.js';
import type { ProviderUsage } from '../providers/provider.js';
import { mayBeBilled } from '../providers/provider-error.js';
import { estimateTokens } from '../providers/token-estimate.js';
import { type Consumption, costOf, type RecordedUsage, storedAmount, sum } from './cost.js';

/** Maximum of an `integer` column. */
const MAX_COUNT = 2_147_483_647;

/** Tokens that were counted here for a call whose provider reported none. */
export type EstimatedUsage = Pick<ProviderUsage, 'promptTokens' | 'completionTokens'>;

export interface MeterState {
  tokens: Pick<RecordedUsage, 'promptTokens' | 'completionTokens' | 'cachedTokens' | 'reasoningTokens'>;
  /** Usage that the provider reported without a cost. */
  unpriced: Consumption;
  /** Decimal string in USD. */
  billed: string;
  isEstimate: boolean;
  calls: number;
  answeringModel: string | null;
  /** Cost of the calls of earlier models, a decimal string in USD; null when unknown. Absent without a change of the model. */
  earlier?: string | null;
}

type Tokens = MeterState['tokens'];

/** The sum of two token counts, at most what the ledger can store. */
export const sumOfTokens = (total: number | null | undefined, count: number): number =>
  Math.min((total ?? 0) + count, MAX_COUNT);

const add = (total: number | null, count: number | undefined): number | null =>
  count === undefined ? total : sumOfTokens(total, count);

/**
 * Tokens and cost of all requests of one generation, or of one of the site's own calls. A cost that the provider reports
 * takes precedence over the prices of the catalogue.
 */
export class UsageMeter {
  private readonly tokens: Tokens = {
    promptTokens: null,
    completionTokens: null,
    cachedTokens: null,
    reasoningTokens: null,
  };
  /** Usage that the provider reported without a cost. */
  private readonly unpriced: MeterState['unpriced'] = {
    requests: 0,
    promptTokens: 0,
    completionTokens: 0,
    cachedTokens: 0,
    images: 0,
  };
  private billed = new Big(0);
  private isEstimate = false;
  private calls = 0;
  private answeringModel: string | null = null;
  private earlier: string | null | undefined;

  /**
   * @param pricing prices at the admission; null when unknown
   * @param before the sums of a suspended generation
   */
  constructor(
    private pricing: ModelPricing | null,
    before?: MeterState,
  ) {
    if (before === undefined) return;
    Object.assign(this.tokens, before.tokens);
    Object.assign(this.unpriced, before.unpriced);
    this.billed = new Big(before.billed);
    this.isEstimate = before.isEstimate;
    this.calls = before.calls;
    this.answeringModel = before.answeringModel;
    this.earlier = before.earlier;
  }

  get state(): MeterState {
    const { tokens, unpriced, billed, isEstimate, calls, answeringModel, earlier } = this;
    const state = {
      tokens: { ...tokens },
      unpriced: { ...unpriced },
      billed: billed.toFixed(),
      isEstimate,
      calls,
      answeringModel,
    };
    return earlier === undefined ? state : { ...state, earlier };
  }

  /** Prices the calls from now on by those of another model. */
  changePricing(pricing: ModelPricing | null): void {
    this.earlier = storedAmount(this.total());
    Object.assign(this.unpriced, { requests: 0, promptTokens: 0, completionTokens: 0, cachedTokens: 0, images: 0 });
    this.billed = new Big(0);
    this.pricing = pricing;
  }

  /** Cost of the calls since the last change of the prices; null when unknown. */
  get costOfPresent(): string | null {
    return storedAmount(this.present());
  }

  /** Adds a call whose usage the provider reported. */
  report(usage: ProviderUsage, images = 0): void {
    this.answeringModel = usage.model ?? this.answeringModel;
    this.count(usage);
    if (usage.cost === undefined) this.addUnpriced(usage, images);
    else this.billed = this.billed.plus(usage.cost);
  }

  /** Adds a call whose usage did not arrive: it was stopped or broke off, or the provider reports none. */
  estimate(usage: EstimatedUsage, images = 0): void {
    this.isEstimate = true;
    this.count(usage);
    this.addUnpriced(usage, images);
  }

  /**
   * Adds a call whose usage did not arrive, unless its provider bills nothing for the failure.
   * @param failure null for a call without one
   * @param texts what the model wrote
   */
  estimateUnlessFree(failure: unknown, promptTokens: () => number, texts: readonly string[] = [], images = 0): void {
    if (texts.every((text) => text === '') && !mayBeBilled(failure)) return;
    const completionTokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    this.estimate({ promptTokens: promptTokens(), completionTokens }, images);
  }

  /** The sum so far. A generation without a billed call costs nothing. */
  get result(): Pick<RecordedUsage, keyof Tokens | 'costUsd' | 'costSource' | 'answeringModel'> {
    const costUsd = storedAmount(this.total());
    return { ...this.tokens, costUsd, costSource: this.sourceOf(costUsd), answeringModel: this.answeringModel };
  }

  private present(): Big | null {
    const catalogue = this.unpriced.requests === 0 ? new Big(0) : costOf(this.unpriced, this.pricing);
    return sum([this.billed, catalogue]);
  }

  private total(): Big | null {
    const { earlier = '0' } = this;
    return sum([earlier === null ? null : new Big(earlier), this.present()]);
  }

  private sourceOf(costUsd: string | null): RecordedUsage['costSource'] {
    if (costUsd === null) return 'unknown';
    if (this.isEstimate || this.calls === 0) return 'estimate';
    // For an earlier model it is not kept which of the two its cost came from.
    return this.unpriced.requests > 0 || Number(this.earlier ?? 0) > 0 ? 'catalogue' : 'provider';
  }

  private count(usage: EstimatedUsage & Partial<ProviderUsage>): void {
    this.calls += 1;
    this.tokens.promptTokens = add(this.tokens.promptTokens, usage.promptTokens);
    this.tokens.completionTokens = add(this.tokens.completionTokens, usage.completionTokens);
    this.tokens.cachedTokens = add(this.tokens.cachedTokens, usage.cachedTokens);
    this.tokens.reasoningTokens = add(this.tokens.reasoningTokens, usage.reasoningTokens);
  }

  private addUnpriced(
    { promptTokens, completionTokens, cachedTokens = 0 }: EstimatedUsage & Partial<ProviderUsage>,
    images: number,
  ): void {
    this.unpriced.requests += 1;
    this.unpriced.promptTokens += promptTokens;
    this.unpriced.completionTokens += completionTokens;
    this.unpriced.cachedTokens += cachedTokens;
    this.unpriced.images += images;
  }
}
