import { excerptOf } from './excerpt.mjs';

/**
 * Counts the journeys of a Playwright JSON report. A flaky journey failed once and passed when it was retried: it passes
 * in CI and fails a local run.
 *
 * @returns `failures` and `flaky` are names with the beginning of what their journeys say
 */
export function journeyResult({ stats, errors, suites }, { status, inCi }) {
  const [flaky, unexpected] = ['flaky', 'unexpected'].map((wanted) =>
    suites.flatMap((suite) => namesIn(suite, wanted)),
  );
  const failures = [...unexpected, ...errors.map(({ message }) => message ?? 'an error without a message')];
  if (!inCi) failures.push(...flaky.splice(0));
  const failed = stats.unexpected + errors.length + (inCi ? 0 : stats.flaky);
  const result = { passed: stats.expected + (inCi ? stats.flaky : 0), failed, failures, flaky };
  if (failed > 0 || status === 0) return result;
  return { ...result, failed: 1, failures: ['Playwright ended with an error and no failed journey'] };
}

/** The file, title and first error of each journey with a status. */
function namesIn(suite, wanted) {
  const specs = (suite.specs ?? []).filter((spec) => spec.tests.some(({ status }) => status === wanted));
  return [
    ...specs.map((spec) => `${spec.file}: ${spec.title}${excerptOf(errorOf(spec))}`),
    ...(suite.suites ?? []).flatMap((inner) => namesIn(inner, wanted)),
  ];
}

const errorOf = ({ tests }) =>
  tests.flatMap(({ results = [] }) => results.map(({ error }) => error?.message)).find((message) => message);
