import { titleIn } from './title-writer.js';

describe('titleIn', () => {
  it.each([
    ['Weekend in Bandung', 'Weekend in Bandung'],
    ['"Weekend in Bandung."', 'Weekend in Bandung'],
    ['**Title:** Weekend in Bandung', 'Weekend in Bandung'],
    ['Title: "Weekend in Bandung"', 'Weekend in Bandung'],
    ['# Weekend in Bandung\n\nThat is my title.', 'Weekend in Bandung'],
    ['1. Weekend in Bandung', 'Weekend in Bandung'],
    ['Judul: Akhir pekan di Bandung', 'Akhir pekan di Bandung'],
    ['<think>The user wants a title.\nOf five words.</think>\nWeekend in Bandung', 'Weekend in Bandung'],
    ['\n\n  Weekend\tin   Bandung  \n', 'Weekend in Bandung'],
    ['「バンドンの週末」', 'バンドンの週末'],
    ['[Weekend](https://evil.example) in `Bandung`', 'Weekend in Bandung'],
    ['Weekend \u202ein Bandung', 'Weekend in Bandung'],
    ['<title>Weekend in Bandung</title>', 'Weekend in Bandung'],
    ['List<int> in Java', 'List<int> in Java'],
    ['C# and C++ compared', 'C# and C++ compared'],
    ['What is love?', 'What is love?'],
  ])('finds in %j', (answer, title) => {
    expect(titleIn(answer)).toBe(title);
  });

  it.each([
    '',
    ' \n',
    '""',
    '...',
    '<think>I never stop',
    "I'm sorry, but I can't help with that.",
    'Maaf, saya tidak bisa.',
    'Of course! A weekend in Bandung begins with a walk along Jalan Braga, and then',
    '字'.repeat(200),
    'User: plan a weekend',
  ])('finds none in %j', (answer) => {
    expect(titleIn(answer)).toBe('');
  });
});
