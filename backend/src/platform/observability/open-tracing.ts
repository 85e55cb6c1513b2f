import type { TracingEnv } from '../../config/tracing-env.js';
import type { Logger } from './logging.js';
import { NoTracing, type Tracing } from './tracing.js';

/** Opens tracing. The SDK is loaded only when a collector is configured. */
export async function openTracing(
  env: TracingEnv | null,
  nodeId: string,
  logger: Logger,
  exportIntervalMs: number,
): Promise<Tracing> {
  if (env === null) return new NoTracing();
  const { OtelTracing } = await import('./otel-tracing.js');
  return new OtelTracing(env, nodeId, logger, exportIntervalMs);
}
