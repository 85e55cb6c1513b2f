import type { ModelParameters, PublicModel, ReasoningEffort, Sampling } from '@tanya/contract';

export interface Requested {
  sampling?: Sampling;
  maxTokens?: number;
  /** Names of the parameters that the request can do without, such as those that come from the model. */
  defaults?: readonly string[];
}

/** What a request asks for, with the default parameters of its model where it asks for nothing. */
export function withDefaults(
  { sampling, maxTokens, defaults: own = [] }: Requested,
  parameters: ModelParameters = {},
): Requested {
  const { max_tokens: most, ...others } = parameters;
  const added = Object.keys(parameters).filter((name) =>
    name === 'max_tokens' ? maxTokens === undefined : !(name in (sampling ?? {})),
  );
  const defaults = [...own, ...added];
  if (defaults.length === 0) return { sampling, maxTokens };
  return { sampling: { ...others, ...sampling }, maxTokens: maxTokens ?? most, defaults };
}

/** The effort that a request asks another model for, where a fallback has it too. */
export const effortFor = (
  { reasoningEfforts }: Pick<PublicModel, 'reasoningEfforts'>,
  asked: ReasoningEffort | undefined,
): ReasoningEffort | undefined => (asked !== undefined && reasoningEfforts?.includes(asked) ? asked : undefined);
