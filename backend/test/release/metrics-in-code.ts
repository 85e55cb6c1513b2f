import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';

const source = join(import.meta.dirname, '../../src');

const INSTRUMENT =
  /\.(?:(?<type>counter|histogram|gauges)(?:<[^>]*>)?\(\s*\{(?<options>[^]*?)\}[),]|gauge\(\s*'(?<gauge>\w+)')/g;

/** Names of all metrics of a node with their labels: those that the code registers and those of prom-client. */
export function metricsInCode(): Map<string, string[]> {
  const metrics = new Map<string, string[]>();
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    for (const { groups } of readFileSync(join(source, file), 'utf8').matchAll(INSTRUMENT)) {
      const { type, options = '', gauge } = groups!;
      const name = gauge ?? /name: '(\w+)'/.exec(options)?.[1];
      if (name === undefined) continue;
      const labels = /labels: \[([^\]]*)\]/.exec(options)?.[1]?.match(/\w+/g) ?? [];
      addSeries(metrics, name, type === 'histogram', labels);
    }
  }
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const defaults = registry.getMetricsAsArray() as unknown as { name: string; type: string; labelNames: string[] }[];
  for (const { name, type, labelNames } of defaults) addSeries(metrics, name, type === 'histogram', labelNames);
  registry.clear();
  return metrics;
}

function addSeries(metrics: Map<string, string[]>, name: string, isHistogram: boolean, labels: string[]): void {
  if (!isHistogram) {
    metrics.set(name, labels);
    return;
  }
  metrics.set(`${name}_bucket`, [...labels, 'le']);
  for (const suffix of ['sum', 'count']) metrics.set(`${name}_${suffix}`, labels);
}

/** Names of the limits that the label `limit` may have. */
export function limitsInCode(): string[] {
  const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(source, file), 'utf8'))
    .join('\n');
  const limits = [...code.matchAll(/name: '([\w-]+)', points: /g), ...code.matchAll(/refusals\.count\('(\w+)'\)/g)];
  return limits.map(([, name]) => name!);
}
