import type { ModelParameters, PublicModel, ReasoningEffort } from '@tanya/contract';
import type { ProviderRequest } from '../../../providers/provider.js';

/** How a model is asked for text. */
export type RequestParameters = Pick<ProviderRequest, 'sampling' | 'maxTokens' | 'reasoningEffort' | 'defaults'>;

/** What a request asks for, with the default parameters of a model where it asks for nothing. */
export function withDefaults(
  { sampling, maxTokens, defaults: own = [], reasoningEffort }: RequestParameters,
  parameters: ModelParameters = {},
): RequestParameters {
  const { max_tokens: most, ...others } = parameters;
  const added = Object.keys(parameters).filter((name) =>
    name === 'max_tokens' ? maxTokens === undefined : !(name in (sampling ?? {})),
  );
  const defaults = [...own, ...added];
  if (defaults.length === 0) return { sampling, maxTokens, reasoningEffort };
  return { sampling: { ...others, ...sampling }, maxTokens: maxTokens ?? most, defaults, reasoningEffort };
}

/** The effort that was asked for, where the model has it. */
export const effortFor = (
  { reasoningEfforts }: Pick<PublicModel, 'reasoningEfforts'>,
  asked: ReasoningEffort | null | undefined,
): ReasoningEffort | undefined => (asked != null && reasoningEfforts?.includes(asked) ? asked : undefined);
