import type { ModelParameters, PublicModel, ReasoningEffort, Sampling } from '@tanya/contract';

export interface Requested {
  sampling?: Sampling;
  maxTokens?: number;
  /** Names of the parameters that come from the model. */
  defaults?: readonly string[];
}

/** What a request asks for, with the default parameters of its model where it asks for nothing. */
export function withDefaults({ sampling, maxTokens }: Requested, parameters: ModelParameters = {}): Requested {
  const { max_tokens: most, ...others } = parameters;
  const defaults = Object.keys(parameters).filter((name) =>
    name === 'max_tokens' ? maxTokens === undefined : !(name in (sampling ?? {})),
  );
  if (defaults.length === 0) return { sampling, maxTokens };
  return { sampling: { ...others, ...sampling }, maxTokens: maxTokens ?? most, defaults };
}

/** The effort that a request asks another model for, where a fallback has it too. */
export const effortFor = (
  { reasoningEfforts }: Pick<PublicModel, 'reasoningEfforts'>,
  asked: ReasoningEffort | undefined,
): ReasoningEffort | undefined => (asked !== undefined && reasoningEfforts?.includes(asked) ? asked : undefined);
