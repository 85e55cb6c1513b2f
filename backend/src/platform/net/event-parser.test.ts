import { createEventParser } from './event-parser.js';

it('reports lines that are no field in little time', () => {
  let lines = 0;
  const parser = createEventParser({ onError: ({ type }) => void (lines += type === 'unknown-field' ? 1 : 0) });
  const began = process.cpuUsage();
  for (let count = 0; count < 100; count += 1) parser.feed('a\n'.repeat(30_000));
  expect(lines).toBe(3_000_000);
  // With stacks it takes 20 s.
  expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
});

it('leaves the errors of others their stacks, also after a failure', () => {
  const parser = createEventParser({
    onEvent: () => {
      throw new Error('stopped');
    },
  });
  const before = Error.stackTraceLimit;
  expect(() => parser.feed('data: a\n\n')).toThrow(expect.objectContaining({ stack: expect.stringContaining(' at ') }));
  expect(Error.stackTraceLimit).toBe(before);
});
