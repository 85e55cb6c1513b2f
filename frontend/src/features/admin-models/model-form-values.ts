import type { AccessRule, ModelKind, ReasoningEffort } from '@tanya/contract';
import type { ParameterValues } from './parameter-values';
import type { PriceValues } from './price-values';

export interface ModelFormValues {
  name: string;
  provider: string;
  description: string;
  /** '' keeps a guessed kind. */
  kind: ModelKind | '';
  isInPicker: boolean;
  contextLength: string;
  /** '' for an automatic choice. */
  connectionId: string;
  /** '' as the catalogue reports, else `true` or `false`. */
  supportsTools: string;
  reasoningEfforts: ReasoningEffort[];
  rule: AccessRule;
  pricing: PriceValues;
  /** '' for the public id. */
  upstreamId: string;
  systemPrompt: string;
  /** An id for each place; '' for none. */
  fallbacks: string[];
  parameters: ParameterValues;
}
