import { parser } from '@prometheus-io/lezer-promql';

export interface Matcher {
  label: string;
  /** Alternatives of the value: `a|b` has two. */
  values: string[];
}

/** The metrics of an expression with their matchers, and the labels that its aggregations keep. */
export interface Query {
  selectors: { metric: string; matchers: Matcher[] }[];
  grouping: string[];
}

const MATCHER = /^(\w+)\s*[=!~]+\s*"(.*)"$/s;

/**
 * Parses a PromQL expression with the grammar of Prometheus.
 * @throws Error at the first syntax error
 */
export function parseQuery(expression: string): Query {
  const query: Query = { selectors: [], grouping: [] };
  parser.parse(expression).iterate({
    enter(node) {
      const text = expression.slice(node.from, node.to);
      if (node.type.isError) throw new Error(`syntax error at ${node.from} of: ${expression}`);
      if (node.name === 'Identifier') query.selectors.push({ metric: text, matchers: [] });
      if (node.name === 'LabelName' && node.node.parent?.name === 'GroupingLabels') query.grouping.push(text);
      if (node.name !== 'UnquotedLabelMatcher') return;
      const [, label, value] = MATCHER.exec(text)!;
      query.selectors.at(-1)!.matchers.push({ label: label!, values: value!.split('|') });
    },
  });
  return query;
}
