import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { ERROR_CODES, MESSAGE_STATUSES } from '@tanya/contract';
import { GenerationMetrics } from '../../src/chat/generation/live/generation-metrics.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { readManifest } from './manifests.js';
import { limitsInCode, metricsInCode } from './metrics-in-code.js';
import { adapterRule, alerts, panels, queries, scrape } from './monitoring-files.js';
import { type Matcher, parseQuery } from './promql.js';

const manual = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');

/** Labels that Prometheus adds when it scrapes a node, and its own metric of a scrape. */
const SCRAPED = ['job', 'namespace', 'pod'];
const metrics = new Map([...metricsInCode(), ['up', []]]);

const labelsOf = (metric: string): string[] => [...(metrics.get(metric) ?? []), ...SCRAPED];

/** Labels with a closed list of values. */
const valuesOf = (metric: string, label: string): readonly string[] | null => {
  if (label === 'code') return ERROR_CODES;
  if (label === 'limit') return limitsInCode();
  return label === 'status' && metric.startsWith('tanya_answer') ? MESSAGE_STATUSES : null;
};

const strangeValues = (metric: string, { label, values }: Matcher): string[] => {
  const known = valuesOf(metric, label);
  return known === null ? [] : values.filter((value) => !known.includes(value));
};

describe('the queries of the dashboard, the alerts and the autoscaler', () => {
  it.each(queries)('name metrics and labels of the code: %s', (_place, expression) => {
    const { selectors, grouping } = parseQuery(expression);
    expect(selectors).not.toEqual([]);
    for (const { metric, matchers } of selectors) {
      expect([...metrics.keys()]).toContain(metric);
      expect(labelsOf(metric)).toEqual(expect.arrayContaining(matchers.map(({ label }) => label)));
      expect(matchers.flatMap((matcher) => strangeValues(metric, matcher))).toEqual([]);
    }
    const kept = selectors.flatMap(({ metric }) => labelsOf(metric));
    expect(kept).toEqual(expect.arrayContaining(grouping));
  });

  it('are parsed with the grammar of Prometheus', () => {
    expect(() => parseQuery('sum(rate(tanya_sockets[5m])')).toThrow('syntax error');
    expect(() => parseQuery('tanya_sockets >< 1')).toThrow('syntax error');
    expect(parseQuery('sum by (pod) (rate(a_total{code=~"x|y"}[5m])) / b')).toEqual({
      selectors: [
        { metric: 'a_total', matchers: [{ label: 'code', values: ['x', 'y'] }] },
        { metric: 'b', matchers: [] },
      ],
      grouping: ['pod'],
    });
  });

  it('find the metrics of every room', () => {
    const own = [...metrics.keys()].filter((name) => name.startsWith('tanya_'));
    expect(own).toEqual(expect.arrayContaining(['tanya_sockets', 'tanya_pg_waiting', 'tanya_answer_seconds_bucket']));
    expect(metrics.get('tanya_http_request_seconds_bucket')).toEqual(['method', 'route', 'status', 'le']);
  });
});

describe('the alerts', () => {
  const headings = [...manual.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(' ', '-')
      .replaceAll(/[^\w-]/g, ''),
  );

  it.each(alerts)('$alert has a severity, a summary and a heading in the manual', ({ labels, annotations }) => {
    expect(['info', 'warning', 'critical']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/^\S.*[^.]$/);
    const [file, heading] = annotations.runbook_url!.split('#');
    expect(file).toBe('docs/operations.md');
    expect(headings).toContain(heading);
  });

  it.each(alerts)('$alert shows only labels that its query keeps', ({ expr, annotations }) => {
    const { selectors, grouping } = parseQuery(expr);
    const isAggregated = /\b(sum|avg|max|absent)\b/.test(expr);
    const kept = isAggregated ? grouping : selectors.flatMap(({ metric }) => labelsOf(metric));
    const shown = [...annotations.summary!.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
    expect(kept).toEqual(expect.arrayContaining(shown));
  });

  const expressionOf = (name: string): string => alerts.find(({ alert }) => alert === name)!.expr;

  it('see the first failure: their series begin at 0, or count as an increase when they begin', async () => {
    const registry = new Metrics();
    void new GenerationMetrics(registry);
    const { text } = await registry.exposition();
    const atAnyIncrease = alerts.filter(({ expr }) => /increase\([^)]*\)[\s)]*> 0/.test(expr));
    expect(atAnyIncrease.map(({ alert }) => alert)).toEqual(['TanyaProviderRefusesAccess', 'TanyaServerErrors']);
    for (const { expr } of atAnyIncrease) {
      const { metric, matchers } = parseQuery(expr).selectors[0]!;
      if (expr.includes(' offset 5m')) continue;
      for (const { label, values } of matchers) {
        for (const value of values) expect(text).toContain(`${metric}{${label}="${value}"} 0\n`);
      }
    }
    expect(text).toContain('tanya_answer_seconds_count{status="interrupted"} 0\n');
    expect(expressionOf('TanyaServerErrors').replaceAll(/\s+/g, ' ')).toMatch(/(\w+\{[^}]*\}) unless \1 offset 5m/);
  });

  it.each([
    [[1200, 100], true],
    [[1200, 500], false],
    [[3100, 1000, 1000], true],
    [[1200, 1100, 1000], false],
    [[900, 1, 1], false],
    [[5000], false],
    [[2000, 0, 0], true],
  ])('find the node that differs among %p: %p', (sockets, isFound) => {
    const sum = sockets.reduce((all, count) => all + count, 0);
    const values = { max: Math.max(...sockets), sum, count: sockets.length };
    const [bound, floor] = expressionOf('TanyaNodesDiffer')
      .replaceAll(/(max|sum|count)\(tanya_sockets\)/g, (_, name: keyof typeof values) => String(values[name]))
      .split(/\sand\s/)
      .map((part) => part.trim());
    const holds = (comparison: string): boolean => runInNewContext(comparison) as boolean;
    expect(holds(bound!) && holds(floor!)).toBe(isFound);
  });

  it('have names of their own', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });
});

describe('the dashboard', () => {
  it('has panels with ids of their own that do not overlap', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});

describe('the scrape configuration', () => {
  it('adds the labels that the queries, the alerts and the adapter use', () => {
    const added = scrape.relabel_configs.flatMap(({ target_label: label }) => label ?? []);
    expect(['job', ...added]).toEqual(SCRAPED);
    expect(Object.keys(adapterRule.resources.overrides)).toEqual(added);
    for (const [, expression] of queries) expect(expression).not.toMatch(/job="(?!tanya"|\$job")/);
    expect(scrape.job_name).toBe('tanya');
  });

  it('keeps the pods of the deployment in its namespace', () => {
    const { metadata, spec } = readManifest('deployment.yaml');
    expect(scrape.kubernetes_sd_configs[0]!.namespaces.names).toEqual([metadata.namespace]);
    const { metadata: pod, spec: podSpec } = spec.template;
    const kept = `${pod.labels['app.kubernetes.io/component']};${podSpec.containers[0]!.ports![0]!.name}`;
    expect(scrape.relabel_configs[0]!.regex).toBe(kept);
  });

  it('names the metric of the autoscaler in the rule of the adapter', () => {
    const { spec } = readManifest<{ spec: { metrics: { pods?: { metric: { name: string } } }[] } }>('autoscaler.yaml');
    const names = spec.metrics.flatMap(({ pods }) => pods?.metric.name ?? []);
    expect(names).toEqual([parseQuery(adapterRule.seriesQuery).selectors[0]!.metric]);
  });
});
