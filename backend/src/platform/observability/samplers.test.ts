import { samplingOf } from './samplers.js';

describe('the sampling decision', () => {
  it('depends on the id of the trace by ratio', () => {
    const isSampled = samplingOf({ sampler: 'traceidratio', ratio: 0.5 });
    expect(isSampled('00000001000000000000000000000000')).toBe(true);
    expect(isSampled('f0000001000000000000000000000000')).toBe(false);
  });

  it.each([
    ['always_on', 0, true],
    ['parentbased_always_on', 0, true],
    ['always_off', 1, false],
    ['parentbased_always_off', 1, false],
    ['traceidratio', 0, false],
    ['parentbased_traceidratio', 1, true],
  ] as const)('of %s with the ratio %d is %s', (sampler, ratio, expected) => {
    expect(samplingOf({ sampler, ratio })('80000001000000000000000000000000')).toBe(expected);
  });
});
