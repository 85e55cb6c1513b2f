import { aiMessage, userMessage } from '../client/chat-fixtures';
import { findMatches } from './find-matches';

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
