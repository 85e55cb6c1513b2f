import { jestResult } from './jest-result.mjs';

const ran = (status, fullName) => ({ status, fullName });
const file = (path, ...tests) => ({
  name: `/clone/${path}`,
  status: tests.length === 0 || tests.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
  assertionResults: tests,
});

const sends = file('sends.test.ts', ran('passed', 'sends'), ran('failed', 'sends twice'));
const reads = file('reads.test.ts', ran('passed', 'reads'), ran('passed', 'reads twice'), ran('pending', 'later'));
const unloadable = file('unloadable.test.ts');
const sendsNow = file('sends.test.ts', ran('passed', 'sends'), ran('passed', 'sends twice'));

async function resultOf(testResults, { inCi = true, status = 1, second = {} } = {}) {
  const rerun = [];
  const result = await jestResult(
    { testResults },
    {
      status,
      inCi,
      root: '/clone',
      rerun: async (path) => {
        rerun.push(path);
        return { testResults: second[path] ?? [] };
      },
    },
  );
  return { ...result, rerun };
}

describe('jestResult', () => {
  it('counts each test once and leaves out skipped tests', async () => {
    expect(await resultOf([reads], { status: 0 })).toEqual({
      passed: 2,
      failed: 0,
      failures: [],
      flaky: [],
      rerun: [],
    });
  });

  it('fails a local run without running a file again', async () => {
    const failures = ['sends.test.ts: sends twice'];
    expect(await resultOf([sends, reads], { inCi: false })).toMatchObject({
      passed: 3,
      failed: 1,
      failures,
      rerun: [],
    });
  });

  it('says the beginning of what went wrong', async () => {
    const failing = { ...ran('failed', 'sends'), failureMessages: [`Error: ${'x'.repeat(2_000)}`] };
    const { failures } = await resultOf([file('sends.test.ts', failing)], { inCi: false });
    expect(failures[0]).toMatch(/^sends\.test\.ts: sends\n {4}Error: x{500,600} …$/);
  });

  it('passes a file in CI that passes alone, and names the tests that failed before', async () => {
    const result = await resultOf([sends, reads], { second: { [sends.name]: [sendsNow] } });
    const flaky = ['sends.test.ts: sends twice'];
    expect(result).toEqual({ passed: 4, failed: 0, failures: [], flaky, rerun: [sends.name] });
  });

  it('fails a file that fails twice with the counts of its first run', async () => {
    const again = file('sends.test.ts', ran('failed', 'sends'), ran('failed', 'sends twice'));
    const result = await resultOf([sends, reads], { second: { [sends.name]: [again] } });
    expect(result).toMatchObject({ passed: 3, failed: 1, failures: ['sends.test.ts: sends twice'], flaky: [] });
  });

  it('counts a file that cannot be loaded as one failure, and names its path if it loads alone', async () => {
    expect(await resultOf([unloadable, reads])).toMatchObject({ passed: 2, failed: 1 });
    const loaded = file('unloadable.test.ts', ran('passed', 'loads'));
    const result = await resultOf([unloadable, reads], { second: { [unloadable.name]: [loaded] } });
    expect(result).toMatchObject({ passed: 3, failed: 0, flaky: ['unloadable.test.ts'] });
  });

  it('fails a file whose second run crashes', async () => {
    const rerun = () => Promise.reject(new Error('The tests did not start; see the output above.'));
    const result = await jestResult({ testResults: [sends] }, { status: 1, inCi: true, root: '/clone', rerun });
    expect(result).toMatchObject({ passed: 1, failed: 1 });
  });

  it('runs no file again when more than five failed', async () => {
    const failures = Array.from({ length: 6 }, (_, index) => file(`${index}.test.ts`, ran('failed', 'fails')));
    expect(await resultOf(failures)).toMatchObject({ passed: 0, failed: 6, rerun: [] });
  });

  it('fails when Jest exits with an error and no test failed', async () => {
    expect(await resultOf([reads])).toMatchObject({
      passed: 2,
      failed: 1,
      failures: [expect.stringContaining('Jest')],
    });
  });
});
