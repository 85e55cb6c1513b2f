import { estimateTokens } from '../../providers/token-estimate.js';
import { chunksOf } from './chunks.js';
import { codesIn } from './codes.js';
import { markdownSections } from './markdown-sections.js';
import { withOuterHeadings } from './outer-headings.js';

const part = (text: string, label = '') => ({ kind: 'part' as const, label, text });

const SENTENCE = 'The harbour master keeps a list of all ships that arrive in the morning. ';

it('cuts at the ends of sentences, into about 400 tokens', async () => {
  const text = SENTENCE.repeat(100).trim();
  const chunks = await chunksOf([part(text)]);
  expect(chunks.length).toBeGreaterThan(4);
  for (const chunk of chunks) {
    expect(chunk.text).toMatch(/^The harbour .*morning\.$/s);
    expect(estimateTokens(chunk.text)).toBeLessThanOrEqual(400);
    expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
  }
  expect(chunks.map((chunk) => chunk.text).join(' ')).toBe(text);
});

it('does not end a sentence within a number', async () => {
  const [chunk] = await chunksOf([part('It costs 3.14 euros. See section 2.1 for more.')]);
  expect(chunk!.text).toBe('It costs 3.14 euros. See section 2.1 for more.');
});

it('cuts no character of two units in a long line', async () => {
  for (const line of [
    '\u{1f6a2}'.repeat(20_000),
    `x${'\u{1f6a2}'.repeat(20_000)}`,
    `a\tb${'\u{1f6a2}'.repeat(20_000)}`,
  ]) {
    const chunks = await chunksOf([part(line)]);
    expect(chunks.map(({ text }) => text).join('')).toBe(line);
    expect(chunks.every(({ text }) => text.isWellFormed())).toBe(true);
  }
});

it('keeps each section apart', async () => {
  const chunks = await chunksOf([part('One.'), part(''), part('Three.')]);
  expect(chunks.map(({ section, text }) => [section, text])).toEqual([
    [0, 'One.'],
    [2, 'Three.'],
  ]);
});

it('keeps a table whole, and gives its header to each piece of a long one', async () => {
  const row = (index: number) => `Berth ${index}\t${index * 10}\tfree for ships of any size`;
  const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));
  const table = (count: number) => `Name\tFee\tState\n${rows(count).join('\n')}\n`;
  const whole = await chunksOf([part(`${SENTENCE.repeat(10)}\n${table(40)}`)]);
  expect(whole.filter(({ text }) => text.includes('Name\tFee'))).toHaveLength(1);
  expect(whole.at(-1)!.text).toContain(row(39));
  const pieces = await chunksOf([part(table(400))]);
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces[0]!.text).toMatch(/^Name\tFee/);
  expect(pieces.slice(1).every(({ header }) => header === 'Name\tFee\tState')).toBe(true);
  for (const { text } of pieces) for (const line of text.split('\n')) expect(line).toMatch(/^(Name|Berth \d+)\t/);
});

it('gives the row below a title as the header, and keeps rows with texts of several lines', async () => {
  const row = (index: number) => `Berth ${index},${index * 10},"free\nsince ${index}"`;
  const table = ['Fees of 2026', '', 'Name,Fee,State', ...Array.from({ length: 300 }, (_, index) => row(index))].join(
    '\n',
  );
  const chunks = await chunksOf([part(table)], true);
  expect(chunks.length).toBeGreaterThan(3);
  expect(chunks.slice(1).every(({ header }) => header === 'Name,Fee,State')).toBe(true);
  for (const { text } of chunks.slice(1)) expect(text).toMatch(/^Berth \d+,.*since \d+"$/s);
});

it('parts rows with a single quotation mark', async () => {
  const table = `Name,Size\n${Array.from({ length: 600 }, (_, at) => `Pipe ${at},${at}"`).join('\n')}`;
  for (const { text } of await chunksOf([part(table)], true)) expect(text).toMatch(/^(Name|Pipe \d+),.*"$/s);
});

it.each([
  ['quotes of a table', '"a\n'.repeat(200_000)],
  ['a word without an end', 'x'.repeat(1_000_000)],
  ['marks alone', '.'.repeat(1_000_000)],
  ['quotes behind a mark', `.${'"'.repeat(200_000)}`.repeat(5)],
  ['blanks', `a${' '.repeat(1_000_000)}b`],
  ['bars', '| '.repeat(500_000)],
  ['wide characters', '漢字。'.repeat(300_000)],
])('takes linear time for %s', async (_kind, text) => {
  const chunks = await chunksOf([part(text)]);
  for (const chunk of chunks) expect(estimateTokens(chunk.text)).toBeLessThanOrEqual(1_600);
});

it('finds codes without case and separators', () => {
  expect(codesIn('Invoice INV-2024/0091, article 12.345 and B2, on 3 May.')).toEqual([
    'art12.345§',
    'inv20240091',
    '12345',
  ]);
});

it('makes sections of the headings of Markdown', () => {
  const labels = (text: string) => markdownSections(text).map(({ label }) => label);
  expect(labels('# One\na\n## Two ##\nb\n#no\n    # code\n~~~\n# code\n~~~\n###### Six\n# C#\n# #\n#')).toEqual([
    'One',
    'Two',
    'Six',
    'C#',
  ]);
  expect(labels('text alone')).toEqual(['']);
});

it('makes a bounded number of sections of the headings of Markdown, and keeps the text of the others', () => {
  const sections = markdownSections('# a\nb\n'.repeat(20_000));
  expect(sections).toHaveLength(10_000);
  expect(sections.at(-1)!.text.match(/# a/g)).toHaveLength(10_000);
});

it('puts headings without text before those below them, and makes others without text their own text', () => {
  const places = (text: string) => withOuterHeadings(markdownSections(text)).map((part) => [part.label, part.text]);
  const fees = (year: number) => `# Fees ${year}\n## Berth\n${year - 2015} EUR\n## Water\n3 EUR\n`;
  expect(places(`Start\n${fees(2025)}${fees(2026)}# Notes\nNone.\n## Later`)).toEqual([
    ['', 'Start'],
    ['Fees 2025 › Berth', '10 EUR'],
    ['Fees 2025 › Water', '3 EUR'],
    ['Fees 2026 › Berth', '11 EUR'],
    ['Fees 2026 › Water', '3 EUR'],
    ['Notes', 'None.'],
    ['Later', 'Later'],
  ]);
  expect(places('# One\n### Two\n## Three\n# Four')).toEqual([
    ['One › Two', 'Two'],
    ['One › Three', 'Three'],
    ['Four', 'Four'],
  ]);
  const long = 'x'.repeat(190);
  expect(places(`# ${long}\n## Fees\n### 2026 in the harbour\n5`)).toEqual([['Fees › 2026 in the harbour', '5']]);
});
