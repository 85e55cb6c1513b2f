/**
 * Counts the journeys of a Playwright JSON report. A flaky journey failed once and passed when it was retried: it passes
 * in CI, where its name is printed, and fails a local run.
 */
export function journeyResult({ stats, errors, suites }, { status, inCi, print = console.log }) {
  const flaky = suites.flatMap(flakyTitles);
  if (flaky.length > 0) print(`Flaky journeys (failed once, passed when retried):\n  ${flaky.join('\n  ')}`);
  const failed = stats.unexpected + errors.length + (inCi ? 0 : stats.flaky);
  return { passed: stats.expected + (inCi ? stats.flaky : 0), failed: failed || (status === 0 ? 0 : 1) };
}

function flakyTitles(suite) {
  const specs = (suite.specs ?? []).filter((spec) => spec.tests.some(({ status }) => status === 'flaky'));
  return [
    ...specs.map((spec) => `${spec.file}: ${spec.title}`),
    ...(suite.suites ?? []).flatMap((inner) => flakyTitles(inner)),
  ];
}
