import { headOf } from './odf-styles.js';

it.each([100, 65_530, 65_536, 131_070])('the head of %d characters ends where the body begins', (length) => {
  const head = '<a/>'.padEnd(length);
  expect(headOf(Buffer.from(`${head}<office:body><p>${' '.repeat(100_000)}<office:body >`))).toBe(head);
});

it('a file without a body is a head', () => {
  const whole = '<a/>'.padEnd(140_000);
  expect(headOf(Buffer.from(whole))).toBe(whole);
});
