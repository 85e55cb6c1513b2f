import type { ModelParameters } from '@tanya/contract';
import type { Sampling } from '../../providers/provider.js';

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
