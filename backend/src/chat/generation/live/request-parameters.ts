import type { ModelParameters, PublicModel, ReasoningEffort } from '@tanya/contract';
import type { ChatModel } from '../../../models/models.service.js';
import { presentFields } from '../../../platform/http/present-fields.js';
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

/**
 * What a program asks for, without the switches that turn reasoning off where the model never reasons: it answers as they ask,
 * and strict servers refuse them.
 */
export function withoutIdleSwitches(
  requested: RequestParameters,
  { neverReasons }: Pick<ChatModel, 'neverReasons'>,
): RequestParameters {
  if (!neverReasons) return requested;
  const { enable_thinking: isOn, thinking, thinking_budget: budget, ...others } = requested.sampling ?? {};
  const kept = presentFields({
    enable_thinking: isOn === false ? undefined : isOn,
    thinking: thinking?.['type'] === 'disabled' ? undefined : thinking,
    thinking_budget: budget === 0 ? undefined : budget,
  });
  const { reasoningEffort: effort } = requested;
  return {
    ...requested,
    sampling: requested.sampling && { ...others, ...kept },
    reasoningEffort: effort === 'none' ? undefined : effort,
  };
}
