import { claimBefore, fittingQuote } from './fitting-quote.js';

const PAGE = [
  'The harbour opens at six in the morning and closes at ten in the evening.',
  'Ships of all classes wait for the pilot boat at the north buoy, which has a green light.',
  'The office is closed on Sundays. Letters are answered within a week. Calls are answered at once.',
  'Each of the pilots carries a radio on channel 12, and the boats are checked in spring.',
  'A berth costs five euros a day, or thirty euros a week.\nDogs are kept on a leash.',
].join(' ');

it.each([
  ['A berth is five euros a day', 'A berth costs five euros a day, or thirty euros a week.'],
  ['Anjing: leash', 'Dogs are kept on a leash.'],
  [
    'Letters are answered within a week, calls at once',
    'Letters are answered within a week. Calls are answered at once.',
  ],
  ['saluran 12', 'Each of the pilots carries a radio on channel 12, and the boats are checked in spring.'],
])('quotes what %j is about', (claim, quote) => {
  expect(fittingQuote(PAGE, claim)).toBe(quote);
});

it('quotes a short passage whole, and one in which nothing fits from its beginning', () => {
  expect(fittingQuote('The harbour opens at six. Dogs are welcome.', 'Dogs')).toBe(
    'The harbour opens at six. Dogs are welcome.',
  );
  expect(fittingQuote(PAGE, 'zzz')).toBe(PAGE);
  expect(fittingQuote(PAGE, '')).toBe(PAGE);
});

it('takes letters with their vowel signs as one word', () => {
  const lines = ['क त ब', ...Array.from({ length: 60 }, () => 'फूल और पेड़'), 'किताब यहाँ है', 'फूल और पेड़'];
  expect(fittingQuote(lines.join('\n'), 'किताब')).toBe('किताब यहाँ है');
});

it('finds a row of a table and a sentence in Chinese', () => {
  const rows = Array.from({ length: 60 }, (_, at) => `Berth ${at}\t${at * 10} euros`).join('\n');
  expect(fittingQuote(rows, 'Berth 41 costs 410 euros')).toBe('Berth 41\t410 euros');
  const chinese = `${'运费由客户承担。'.repeat(60)}退款在三十天内到账。${'其他条款。'.repeat(60)}`;
  expect(fittingQuote(chinese, '三十天内退款')).toBe('退款在三十天内到账。');
});

it.each([
  ['It opens at six. A berth costs five euros ', 'A berth costs five euros'],
  ['It opens at six. A berth costs five euros. [1]', 'A berth costs five euros'],
  ['- Dogs\n- A berth: **five euros** [3][4]', '- A berth: **five euros'],
  ['六点开门。泊位五欧元', '泊位五欧元'],
  ['', ''],
])('takes the last sentence before a citation: %j', (text, claim) => {
  expect(claimBefore(text)).toBe(claim);
});

it('takes linear time', () => {
  const began = process.cpuUsage();
  for (const piece of ['a', 'a. ', '. ', '[1]', '\n', '退。']) {
    fittingQuote(piece.repeat(100_000), piece.repeat(200));
    claimBefore(piece.repeat(10_000));
  }
  // It takes 0.2 s.
  expect(process.cpuUsage(began).user).toBeLessThan(10_000_000);
});
