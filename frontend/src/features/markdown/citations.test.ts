import { passageAddress } from './citations';

const source = (quote: string) =>
  ({ type: 'source', index: 1, url: '/projects/4/files/f1?section=6', title: 'a.pdf', fileId: 'f1', quote }) as const;

const quoteIn = (quote: string) =>
  new URL(passageAddress(source(quote)), 'http://localhost').searchParams.get('quote')!;

test('a quote in any script leaves an address that a proxy takes', () => {
  const quote = '泊位每晚二十欧元。'.repeat(110);
  expect(passageAddress(source(quote)).length).toBeLessThan(6_000);
  expect(quoteIn(quote).endsWith('…')).toBe(true);
  expect(quote.startsWith(quoteIn(quote).slice(0, -1))).toBe(true);
  const latin = 'A berth costs "twenty" euros. '.repeat(33);
  expect(quoteIn(latin)).toBe(latin);
});

test('a quote that the router would read as a number is written as a text', () => {
  expect(quoteIn('1.250')).toBe('"1.250"');
  expect(quoteIn('"x"')).toBe(String.raw`"\"x\""`);
  expect(quoteIn('1.250 euros')).toBe('1.250 euros');
});
