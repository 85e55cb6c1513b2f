import { ROOT_CONTEXT } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import type { TracingEnv } from '../../config/tracing-env.js';

/** Whether a trace is exported, by its id in hexadecimal. */
export type IsSampled = (traceId: string) => boolean;

/**
 * The decision of the sampler with a standard name. It is taken once for a trace, which is exported whole or not at all.
 * By ratio the trace id decides, the same on every node.
 */
export function samplingOf({ sampler, ratio }: Pick<TracingEnv, 'sampler' | 'ratio'>): IsSampled {
  if (sampler.endsWith('always_on')) return () => true;
  if (sampler.endsWith('always_off')) return () => false;
  const byRatio = new TraceIdRatioBasedSampler(ratio);
  return (traceId) => byRatio.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED;
}
