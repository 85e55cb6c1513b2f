import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { SamplerName } from '../../config/tracing-env.js';

/**
 * The sampler of a standard name. Each follows its parent, so that a trace is exported whole or not at all. By ratio the
 * trace id decides, the same on every node.
 */
export function samplerOf(name: SamplerName, ratio: number): Sampler {
  return new ParentBasedSampler({ root: rootSampler(name.replace('parentbased_', ''), ratio) });
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
