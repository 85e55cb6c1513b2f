import { insertText } from './insert-text';

const at = (marked: string, words: string): string => {
  const [before = '', selected = '', after = ''] = marked.split('|');
  const { text, caret } = insertText(before + selected + after, before.length, before.length + selected.length, words);
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
};

it.each([
  ['||', 'Hello.', 'Hello.|'],
  ['Dear Ani,||', 'thank you.', 'Dear Ani, thank you.|'],
  ['Dear Ani,\n||', 'thank you.', 'Dear Ani,\nthank you.|'],
  ['before|| after', 'the words', 'before the words| after'],
  ['before ||after', 'the words', 'before the words| after'],
  ['before||, after', 'the words', 'before the words|, after'],
  ['(||)', 'aside', '(aside|)'],
  ['keep |replace this| too', 'that', 'keep that| too'],
])('puts words into %j', (marked, words, expected) => {
  expect(at(marked, words)).toBe(expected);
});
