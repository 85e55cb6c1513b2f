import { journeyResult } from './journey-result.mjs';

const spec = (title, status) => ({ file: 'reload.journey.ts', title, tests: [{ status }] });

const report = (changes = {}) => ({
  stats: { expected: 2, unexpected: 0, flaky: 1, ...changes },
  errors: [],
  suites: [
    { specs: [spec('sends', 'expected')], suites: [{ specs: [spec('reloads', 'flaky'), spec('reads', 'expected')] }] },
  ],
});

const resultOf = (changes, options) => journeyResult(report(changes), { status: 0, inCi: false, ...options });

describe('journeyResult', () => {
  it('fails a local run with a flaky journey', () => {
    expect(resultOf()).toMatchObject({ passed: 2, failed: 1, failures: ['reload.journey.ts: reloads'], flaky: [] });
  });

  it('passes a flaky journey in CI', () => {
    expect(resultOf({}, { inCi: true })).toMatchObject({ passed: 3, failed: 0 });
  });

  it('names the file and title of each flaky journey and no other', () => {
    const { flaky, failures } = resultOf({}, { inCi: true });
    expect([flaky, failures]).toEqual([['reload.journey.ts: reloads'], []]);
  });

  it('names failed journeys and errors outside them', () => {
    const failed = {
      ...report(),
      suites: [{ specs: [spec('sends', 'unexpected')] }],
      errors: [{ message: 'no build' }],
    };
    const { failures } = journeyResult(failed, { status: 1, inCi: true });
    expect(failures).toEqual(['reload.journey.ts: sends', 'no build']);
  });

  it('says what went wrong in a journey, without its stack', () => {
    const error = { message: '\u001b[31mError: expected 2\u001b[39m\n\n    at e2e/reload.ts:3' };
    const failed = { ...spec('sends', 'unexpected'), tests: [{ status: 'unexpected', results: [{}, { error }] }] };
    const whole = { ...report({ unexpected: 1 }), suites: [{ specs: [failed] }] };
    const { failures } = journeyResult(whole, { status: 1, inCi: true });
    expect(failures).toEqual(['reload.journey.ts: sends\n    Error: expected 2']);
  });

  it('counts unexpected failures', () => {
    expect(resultOf({ unexpected: 2, flaky: 0 }, { inCi: true, status: 1 })).toMatchObject({ passed: 2, failed: 2 });
  });

  it('fails when Playwright exits with an error and no journey failed', () => {
    expect(resultOf({ flaky: 0 }, { status: 1 })).toMatchObject({ failed: 1 });
  });
});
