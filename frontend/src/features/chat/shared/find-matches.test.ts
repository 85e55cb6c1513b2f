import { aiMessage, userMessage } from '../client/chat-fixtures';
import { countMatches, findMatches } from './find-matches';
import { anyWordPattern, searchPattern } from './search-pattern';

const messages = [
  userMessage(1, null, 'When does the Harbour close?'),
  aiMessage(2, 1, { content: 'At six.\n\nThe harbour (old) is\nclosed on Sunday.' }),
  userMessage(3, 2, '{"text":"see","fileUrl":"/api/files/1","fileName":"harbour.pdf"}'),
];
const idsOf = (words: string) => findMatches(messages, words).map(({ messageId }) => messageId);

test('finds words in texts and file names, ignoring case and white space', () => {
  expect(idsOf('HARBOUR')).toEqual([1, 2, 3]);
  expect(idsOf('is closed')).toEqual([2]);
  expect(idsOf('  ')).toEqual([]);
  expect(idsOf('fileUrl')).toEqual([]);
});

test('matches special characters literally', () => {
  expect(idsOf('(old)')).toEqual([2]);
  expect(idsOf('.*')).toEqual([]);
});

test('shows the context of the first match', () => {
  const long = aiMessage(4, 3, { content: `${'a'.repeat(50)} needle ${'b'.repeat(200)} needle` });
  expect(findMatches([long], 'needle')).toEqual([
    {
      messageId: 4,
      isUserMessage: false,
      excerpt: { before: `…${'a'.repeat(31)} `, found: 'needle', after: ` ${'b'.repeat(95)}…` },
    },
  ]);
});

test('searches and shows the text of an answer without the marks of Markdown', () => {
  const answer = aiMessage(5, 4, { content: '# Harbour **closed** today\n\n- `a` boat' });
  const shown = { before: '', found: 'Harbour closed', after: ' today a boat' };
  expect(findMatches([answer], 'harbour closed').map(({ excerpt }) => excerpt)).toEqual([shown]);
  expect(findMatches([answer], '**')).toEqual([]);
});

test('an excerpt begins at the start of a word, where its script has spaces', () => {
  const beforeOf = (content: string) => findMatches([aiMessage(6, 5, { content })], 'needle')[0]?.excerpt.before;
  expect(beforeOf(`${'forecast '.repeat(8)}needle`)).toBe('…forecast forecast forecast ');
  expect(beforeOf(`${'港'.repeat(50)} needle`)).toBe(`…${'港'.repeat(31)} `);
});

test('counts the words in what a message shows', () => {
  const answer = aiMessage(7, 6, { content: 'A **boat**, a [boat](https://boat.example) and a\nboat' });
  expect(countMatches(answer, searchPattern('boat')!)).toBe(3);
  expect(countMatches(answer, searchPattern('and a boat')!)).toBe(1);
  expect(countMatches(answer, anyWordPattern('boa lighthouse'))).toBe(3);
  expect(countMatches(answer, anyWordPattern('oat'))).toBe(0);
});

test('a word of a script with marks is one word', () => {
  const hindi = aiMessage(2, 1, { content: 'नमस्ते दुनिया' });
  expect(countMatches(hindi, anyWordPattern('नमस्ते'))).toBe(1);
  expect(countMatches(hindi, anyWordPattern('ते'))).toBe(0);
});
