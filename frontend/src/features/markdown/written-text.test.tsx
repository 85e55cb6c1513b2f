import { render, screen } from '@testing-library/react';
import RenderedMarkdown from './rendered-markdown';
import { FakeTheme } from '../../components/layout/fake-theme';

function show(text: string, cut = false) {
  render(
    <FakeTheme>
      <div data-testid="message">
        <RenderedMarkdown text={text} streaming={false} scope="m1" cut={cut} />
      </div>
    </FakeTheme>,
  );
  return screen.getByTestId('message');
}

const texts = (root: HTMLElement, selector: string) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);

const linksOf = (root: HTMLElement) =>
  [...root.querySelectorAll('a')].map((link) => [decodeURI(link.getAttribute('href') ?? ''), link.textContent]);

test.each([
  ['含**「重点」**内容。', ['「重点」']],
  ['- **注意：**先保存。\n- **日本語（例）。**次の文。', ['注意：', '日本語（例）。']],
  ['**한국어(예)**는 된다. **“인용”**을 보라.', ['한국어(예)', '“인용”']],
  ['**100%**的人，**`code`**是代码，**[链接](https://example.com/x)**可以。', ['100%', 'code', '链接']],
  ['***（都）***是 **（甲）**乙', ['（都）', '（甲）']],
  ['| **（甲）**乙 | b |\n|---|---|\n| **（丙）**丁 | 2 |\n\n### 第一**「题」**节', ['（甲）', '（丙）', '「题」']],
  ['> 第**《书》**册\n\n1. **（一）**点\n   - 再**【重】**来', ['《书》', '（一）', '【重】']],
  ['**plain**文字 and a ** b ** c, snake_case_name, 2**3, 2 ** 3 ** 4', ['plain']],
])('bold beside full-width punctuation: %s', (text, strong) => {
  expect(texts(show(text), 'strong')).toEqual(strong);
});

test('emphasis and struck text beside full-width punctuation', () => {
  const root = show('他说*“好”*的。这是~~「旧」~~文字，~也~在。');
  expect(texts(root, 'em')).toEqual(['“好”']);
  expect(texts(root, 'del')).toEqual(['「旧」']);
  expect(root.textContent).toContain('~也~');
});

const address = (path: string) => [`https://example.com/${path}`, `https://example.com/${path}`];

test.each([
  [
    '见 https://example.com/a，然后。另见（https://example.com/b）。 ASCII: https://example.com/c, then.',
    ['a', 'b', 'c'],
  ],
  [
    '链接【https://example.com/g】和「https://example.com/h」及《https://example.com/i》！"https://example.com/k"和“https://example.com/l”。https://example.com/m……',
    ['g', 'h', 'i', 'k', 'l', 'm'],
  ],
  ['حرف https://example.com/u، ثم. हिंदी https://example.com/v। अगला', ['u', 'v']],
  ['官网：https://example.com/d。https://example.com/f：说明，(https://example.com/x_(y))', ['d', 'f', 'x_(y)']],
  [
    'https://example.com/wiki/日本語_(言語) 参照 https://example.com/j?q=中文&x=1 end',
    ['wiki/日本語_(言語)', 'j?q=中文&x=1'],
  ],
  ['[注：https://example.com/n。]', ['n']],
  ['`https://example.com/o，` and https://example.com/カタ・カナ', ['カタ・カナ']],
])('an address ends before the punctuation of its script: %s', (text, paths) => {
  expect(linksOf(show(text))).toEqual(paths.map(address));
});

test('an address ends where the letters of another script follow its host', () => {
  const root = show('访问https://example.com了解更多，www.example.org에서 https://例え.jp/道');
  expect(texts(root, 'a')).toEqual(['https://example.com', 'www.example.org', 'https://例え.jp/道']);
  expect(root.textContent).toContain('了解更多');
});

test('many stops inside an address take no longer than other characters', () => {
  const start = performance.now();
  const root = show(`https://example.com/a${'!'.repeat(16_000)}b`);
  expect(performance.now() - start).toBeLessThan(2_000);
  expect(root.textContent).toHaveLength(16_022);
});

test('addresses without a protocol start after letters of other scripts', () => {
  const root = show('请看www.example.com/e、联系 me@example.com。谢谢 awww.example.com');
  expect(linksOf(root)).toEqual([
    ['http://www.example.com/e', 'www.example.com/e'],
    ['mailto:me@example.com', 'me@example.com'],
  ]);
});

test('an address in bold text ends with it', () => {
  const root = show('**链接：https://example.com**了解 **https://example.com/a**bc and https://example.com/*.js');
  expect(texts(root, 'a')).toEqual(['https://example.com', 'https://example.com/a', 'https://example.com/*.js']);
  expect(texts(root, 'strong')).toEqual(['链接：https://example.com', 'https://example.com/a']);
});

test('text after an address is Markdown again', () => {
  expect(texts(show('见https://example.com/a，**重点**在。'), 'strong')).toEqual(['重点']);
});

test.each(['hello', 'www', '见https://example.com/a，'])('quotes and brackets after %s are Markdown', (start) => {
  const root = show(`${start} **「重点」**在 [a](https://example.com/x "title") "b"`);
  expect(texts(root, 'strong')).toEqual(['「重点」']);
  expect(linksOf(root).at(-1)).toEqual(['https://example.com/x', 'a']);
});

test('the address of a link with a text is kept as it is', () => {
  expect(linksOf(show('[文](https://example.com/路，一) <https://example.com/a，b>'))).toEqual([
    ['https://example.com/路，一', '文'],
    ['https://example.com/a，b', 'https://example.com/a，b'],
  ]);
});

/** The numbers that the items of all lists of an answer show. */
const numbersOf = (root: HTMLElement) =>
  [...root.querySelectorAll('ol')].flatMap((list) => [...list.children].map((_, index) => list.start + index));

const ITEM = 'a slow boat rests near the quiet pier of the old town, where people wait for the evening';
const count = (length: number, from: number) => Array.from({ length }, (_, index) => from + index);

test.each([
  ['equal numbers', count(40, 1).map(() => `1. ${ITEM}`), 1],
  ['a number twice', count(40, 1).map((number) => `${number > 2 ? number - 1 : number}. ${ITEM}`), 1],
  ['numbers from zero', count(30, 0).map(() => `0. ${ITEM}`), 0],
  ['numbers from five', count(40, 5).map((number) => `${number}) ${ITEM}`), 5],
])('a long list shows its numbers without a restart: %s', (_, lines, start) => {
  expect(numbersOf(show(lines.join('\n')))).toEqual(count(lines.length, start));
});

test('a long list with one item of two paragraphs is loose as a whole', () => {
  const lines = count(40, 1).map((number) => `${number}. ${ITEM}${number === 31 ? '\n\n    Second paragraph.' : ''}`);
  const root = show(lines.join('\n'));
  expect(numbersOf(root)).toEqual(count(40, 1));
  expect(root.querySelectorAll('li:has(> p)')).toHaveLength(40);
});

test('a long list with code in one item stays one list', () => {
  const lines = count(40, 1).map((number) => `1. ${ITEM}${number === 20 ? '\n\n   ```\n   a\n   ```' : ''}`);
  const root = show(lines.join('\n\n'));
  expect(numbersOf(root)).toEqual(count(40, 1));
  expect(root.querySelectorAll('li:has(> p)')).toHaveLength(40);
  expect(root.querySelector('li .code-block')?.closest('li')?.textContent).toContain(ITEM);
});

test.each([
  ['In short: *divide, conquer', 'em', 'divide, conquer'],
  ['First **done**.\n\n- Sure. A **binary', 'strong', 'binary'],
  ['Run `npm ci', 'code', 'npm ci'],
  ['他说 **重点', 'strong', '重点'],
])('the open markers of a stopped answer are closed: %s', (text, selector, marked) => {
  const root = show(text, true);
  expect(texts(root, selector).at(-1)).toBe(marked);
  expect(root.textContent).not.toMatch(/[*`]/);
});

test('the open markers of a complete answer are its text', () => {
  expect(show('Rated 5** of the guide').textContent).toBe('Rated 5** of the guide');
});

test('the columns of a table have one direction', () => {
  const root = show('| المدينة | العدد |\n|---|---|\n| عدن | 10 |');
  expect(root.querySelector('.table-frame')?.getAttribute('dir')).toBe('auto');
});
