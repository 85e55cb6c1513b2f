import type { ModelPricing } from '@tanya/contract';
import Big from 'big.js';
import { AppError } from '../platform/errors/app-error.js';
import { costOf, storedAmount } from './cost.js';

/** Tokens of an answer that a hold reserves at most. A longer answer exceeds its hold. */
const MAX_ANSWER_TOKENS = 1024;

export interface ExpectedCall {
  /** Estimated. */
  promptTokens: number;
  /** Limit of the request; 0 for a call that writes no text. */
  maxTokens?: number;
  /** Answers to one request, 1 by default. */
  choices?: number;
  /** Tokens of the model's context; null when unknown. */
  contextLength: number | null;
  /** Pictures that the call draws; none by default. */
  images?: number;
  /** USD that the provider may bill for the tools of the call, a decimal string. @param pricing of the model */
  toolsUsd?: (pricing: ModelPricing | null) => string;
}

/**
 * The USD to hold for a call, a decimal string: the fee of the request, the prompt, the beginning of an answer and tools that
 * the provider bills.
 * @throws AppError `price_unknown`, `budget_too_small` for an amount larger than any budget
 */
export function holdAmount(call: ExpectedCall, pricing: ModelPricing | null): string {
  const { promptTokens, maxTokens = Infinity, choices = 1, contextLength, images = 0, toolsUsd } = call;
  const completionTokens = Math.min(maxTokens, contextLength ?? Infinity, MAX_ANSWER_TOKENS);
  const amount = costOf({ requests: 1, promptTokens, completionTokens, cachedTokens: 0, images }, pricing);
  if (amount === null) throw new AppError('price_unknown');
  const stored = storedAmount(amount.times(choices).plus(toolsUsd?.(pricing) ?? 0));
  if (stored === null) throw new AppError('budget_too_small');
  return stored;
}

/** Whether a call costs at most as much at some prices as at others. Only a free call is at most an unknown price. */
export function isAtMost(call: ExpectedCall, pricing: ModelPricing, other: ModelPricing | null): boolean {
  try {
    const amount = new Big(holdAmount(call, pricing));
    return amount.eq(0) || amount.lte(holdAmount(call, other));
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
