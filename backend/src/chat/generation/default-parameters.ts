import type { ModelParameters, PublicModel, ReasoningEffort, Sampling } from '@tanya/contract';

interface Requested {
  sampling?: Sampling;
  maxTokens?: number;
}

/** What a request asks for, with the default parameters of its model where it asks for nothing. */
export function withDefaults(
  { sampling, maxTokens }: Requested,
  { max_tokens: most, ...defaults }: ModelParameters = {},
): Requested {
  if (most === undefined && Object.keys(defaults).length === 0) return { sampling, maxTokens };
  return { sampling: { ...defaults, ...sampling }, maxTokens: maxTokens ?? most };
}

/** The effort that a request asks another model for, where a fallback has it too. */
export const effortFor = (
  { reasoningEfforts }: Pick<PublicModel, 'reasoningEfforts'>,
  asked: ReasoningEffort | undefined,
): ReasoningEffort | undefined => (asked !== undefined && reasoningEfforts?.includes(asked) ? asked : undefined);
