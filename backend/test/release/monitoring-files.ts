import { readManifest, readText } from './manifests.js';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary?: string; runbook_url?: string };
}

interface Target {
  expr: string;
  legendFormat: string;
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: Target[];
}

interface AdapterRule {
  seriesQuery: string;
  metricsQuery: string;
  resources: { overrides: Record<string, object> };
}

interface ScrapeConfig {
  job_name: string;
  kubernetes_sd_configs: { namespaces: { names: string[] } }[];
  relabel_configs: { regex?: string; target_label?: string }[];
}

export const alerts = readManifest<{ groups: { rules: Rule[] }[] }>('prometheus-rules.yaml').groups.flatMap(
  ({ rules }) => rules,
);

export const { panels } = JSON.parse(readText('grafana-dashboard.json')) as { panels: Panel[] };

export const adapterRule = readManifest<{ rules: AdapterRule[] }>('prometheus-adapter.yaml').rules[0]!;

export const scrape = readManifest<{ scrape_configs: ScrapeConfig[] }>('prometheus-scrape.yaml').scrape_configs[0]!;

/** The query that the adapter sends for the pods of one namespace. */
const adapterQuery = adapterRule.metricsQuery
  .replace('<<.Series>>', adapterRule.seriesQuery.split('{')[0]!)
  .replace('<<.LabelMatchers>>', 'namespace="tanya",pod=~"a|b"')
  .replace('<<.GroupBy>>', 'pod');

/** Every query of the files with the place where it stands. */
export const queries: [place: string, expression: string][] = [
  ...alerts.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }): [string, string] => [
      `${title}, ${legendFormat}`,
      expr.replaceAll('$__rate_interval', '5m'),
    ]),
  ),
  ['the series of the adapter', adapterRule.seriesQuery],
  ['the query of the adapter', adapterQuery],
];
