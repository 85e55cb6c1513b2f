import { relative } from 'node:path';
import { excerptOf } from './excerpt.mjs';

/** A larger number of failed files has another cause than a flaky test. */
const MAX_RERUNS = 5;

/**
 * Counts the tests of a Jest JSON report, each once. In CI a failed file runs again once, alone: if it passes then, its
 * tests count as passed, and those that failed before are flaky. A local run fails.
 *
 * @param rerun runs one file and resolves to its report
 * @returns `failures` and `flaky` are names with the beginning of what their tests say
 */
export async function jestResult(report, { status, inCi, root, rerun }) {
  const failedFiles = report.testResults.filter((file) => file.status === 'failed');
  const result = { passed: 0, failed: 0, failures: [], flaky: [] };
  for (const file of report.testResults) {
    const repeated = inCi && failedFiles.length <= MAX_RERUNS ? await repeat(file, rerun) : null;
    if (repeated !== null) result.flaky.push(...namesOf(file, root));
    else if (file.status === 'failed') result.failures.push(...namesOf(file, root));
    const { passed, failed } = countsOf(repeated ?? file);
    result.passed += passed;
    result.failed += failed;
  }
  if (status === 0 || failedFiles.length > 0) return result;
  return { ...result, failed: 1, failures: ['Jest ended with an error and no failed test'] };
}

/** The result of a second run that passed, or null. */
async function repeat(file, rerun) {
  if (file.status !== 'failed') return null;
  // A run that writes no report, after a crash of Jest for example, rejects.
  const report = await rerun(file.name).catch(() => ({ testResults: [] }));
  const again = report.testResults.find(({ name }) => name === file.name);
  return again !== undefined && again.status !== 'failed' ? again : null;
}

/** A file that fails without a failed test, because it cannot be loaded for example, counts as one failure. */
function countsOf({ assertionResults, status }) {
  const count = (wanted) => assertionResults.filter((test) => test.status === wanted).length;
  return { passed: count('passed'), failed: count('failed') || (status === 'failed' ? 1 : 0) };
}

function namesOf({ name, assertionResults }, root) {
  const path = relative(root, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return [path];
  return failed.map(({ fullName, failureMessages }) => `${path}: ${fullName}${excerptOf(failureMessages?.[0])}`);
}
