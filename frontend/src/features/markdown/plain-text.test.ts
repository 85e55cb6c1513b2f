import { plainText } from './plain-text';

it.each([
  ['emphasis', 'a **bold** and *soft* and ~~old~~ word', 'a bold and soft and old word'],
  ['headings', '# Title\n\nText\n\n## Part', 'Title\nText\nPart'],
  ['code', 'Run `npm start`:\n\n```js\nlet a = 1;\n```', 'Run npm start:\nlet a = 1;'],
  ['lists', '1. one\n2. two\n   - **three**\n   - four\n\n- [x] done', '1. one\n2. two\nthree\nfour\ndone'],
  ['links and images', '[here](https://a.example) ![a cat](/cat.png)', 'here a cat'],
  ['quotes', '> he said\n> so', 'he said\nso'],
  ['tables', '| a | b |\n|---|---|\n| 1 | **2** |', 'a, b\n1, 2'],
  [
    'characters that are not markup',
    '2 * 3 * 4, snake_case_name and \\*stars\\*',
    '2 * 3 * 4, snake_case_name and *stars*',
  ],
  ['raw HTML', 'a <x>c</x> of List<String>', 'a <x>c</x> of List<String>'],
  [
    'tags that change the look',
    'H<sub>2</sub>O\n\n<details>\n<summary>More</summary>\n\nText\n\n</details>',
    'H2O\n\nMore\nText',
  ],
  [
    'HTML that places a text or is a table',
    '<div align="center">\n\n<a href="/x">a</a>\n\n</div>\n\n<table><caption>c</caption><tr><td>1<td>2</table>',
    'a\nc\n1, 2',
  ],
  [
    'a title whose end stands behind its text',
    '<h1 align="center">\n  Title</h1>\n\nText\n\n</div>',
    'Title\nText\n</div>',
  ],
  ['lines of Windows', '<div align="center">\r\n\r\nHi\r\n\r\n</div>', 'Hi'],
  [
    'a table without its end in a block of Markdown',
    '```markdown\n# Project\n```bash\nnpm i\n```\n\n<table>\n<tr><td>First</td>\n<td>Second, stopped he',
    '# Project\n```bash\nnpm i\n<table>\n<tr><td>First</td>\n<td>Second, stopped he',
  ],
  ['line breaks', 'one<br>two\n\n<br/>\n\nthree', 'one\ntwo\n\nthree'],
  ['lines', 'one\n\n---\n\ntwo', 'one\ntwo'],
])('converts %s to plain text', (_, markdown, expected) => {
  expect(plainText(markdown)).toBe(expected);
});

it('returns a text with too deep nesting unchanged', () => {
  const deep = '> '.repeat(50_000) + 'end';
  expect(plainText(deep)).toBe(deep);
});
