import { render, waitFor } from '@testing-library/react';
import { FakeTheme } from '../../../components/layout/fake-theme';
import RenderedMarkdown from '../rendered-markdown';
import { readableTex } from '../math/tex';
import { LineMender } from './line-mender';

const page = (text: string, streaming: boolean) => (
  <FakeTheme>
    <div data-testid="message">
      <RenderedMarkdown text={text} streaming={streaming} scope="m1" />
    </div>
  </FakeTheme>
);

const answerIn = (container: HTMLElement) => container.querySelector<HTMLElement>('[data-testid=message]')!;

/** An answer at its end, after it has grown by one character at a time. It looks as one that was read whole. */
function show(text: string) {
  const whole = render(page(text, false));
  const expected = answerIn(whole.container).innerHTML;
  whole.unmount();
  const view = render(page('', true));
  const shown: string[] = [];
  for (let length = 1; length <= text.length; length += 1) {
    view.rerender(page(text.slice(0, length), true));
    shown.push(answerIn(view.container).textContent);
  }
  view.rerender(page(text, false));
  const root = answerIn(view.container);
  expect(root.innerHTML).toBe(expected);
  return { root, shown };
}

const texts = (root: HTMLElement, selector: string) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());

describe('texts as public reports about chat pages show them', () => {
  it('code in a quotation ends with its fence', () => {
    const { root } = show('> note\n> ```js\n> a\n> ```\n> end\n\n- > ```sh\n  > ls\n  > ```\n\nout');
    expect(texts(root, 'blockquote pre')).toEqual(['a', 'ls']);
    expect(texts(root, 'blockquote > p')).toEqual(['note', 'end']);
    expect(texts(root, ':scope > p')).toEqual(['out']);
  });

  it('a text directly below a table is no row of it', () => {
    const { root } = show('| a | b |\n|---|---|\n| 1 | 2 |\nText after **it**.\n\na | b\n---|---\n1 | 2\n3');
    expect(texts(root, 'td')).toEqual(['1', '2', '1', '2', '3', '']);
    expect(texts(root, ':scope > p')).toEqual(['Text after it.']);
  });

  it('a list directly below a table is a list', () => {
    const { root } = show('| a | b |\n|---|---|\n| 1 | 2 |\n- x\n- y\n\n- | c |\n  |---|\n  | 3 |\n- z');
    expect(texts(root, ':scope > ul > li')).toHaveLength(4);
    expect(texts(root, 'th, td')).toEqual(['a', 'b', '1', '2', 'c', '3']);
  });

  it('a bold title directly below a list is not a part of its last item', () => {
    const { root } = show('**Pros:**\n- a\n- b\n**Cons:**\n- c\n\n1. one\n**Note:** two\n2. three\n   **four**');
    expect(texts(root, 'li')).toEqual(['a', 'b', 'c', 'one', 'three\nfour']);
    expect(texts(root, ':scope > p')).toEqual(['Pros:', 'Cons:', 'Note: two']);
    expect(root.querySelector<HTMLOListElement>('ol:last-of-type')?.start).toBe(2);
  });

  it('a bold text within a sentence that goes on from the line above is a part of the item', () => {
    const { root } = show('- open the\n**Settings** page\n- b\n**Note:** the end\n\n- c\n**Is it?** yes');
    expect(texts(root, 'li')).toEqual(['open the\nSettings page', 'b', 'c']);
    expect(texts(root, ':scope > p')).toEqual(['Note: the end', 'Is it? yes']);
  });

  it('a list whose items are all indented is one list', () => {
    const { root } = show(
      'Text:\n\n  - a\n  - b\n\nText\n  * c\n  * d\n- e\n**f:**\n  - g\n  - h\n\n1. i\n  - j\n  - k',
    );
    expect(texts(root, 'ul ul > li, ol ul > li')).toEqual(['j', 'k']);
    expect(texts(root, ':scope > ul > li')).toEqual(['a', 'b', 'c', 'd', 'e', 'g', 'h']);
  });

  it('a cell that goes on over lines does not end its table', () => {
    const { root } = show('| a | b |\n|---|---|\n| 1 | x\ny\nz |\n| 3 | 4 |');
    expect(texts(root, 'td').slice(-2)).toEqual(['3', '4']);
  });

  it('bold text inside of bold text is bold', () => {
    const { root } = show('**A **b** c** and **Note:**x, **y**');
    expect(root.textContent).toBe('A b c and Note:x, y');
    expect(texts(root, ':scope > p > strong')).toEqual(['A b c', 'Note:', 'y']);
  });

  it('bold text that begins with a dot is bold while it grows', () => {
    expect(show('See **.env** and *.js').shown).toContain('See .en');
  });

  it('bold text ends at its stars, whatever comes after it in the line', () => {
    const { root } = show('**Name**:a, **Name:**b, **Name** :c，**名称**：值，**名称：**值');
    expect(texts(root, 'strong')).toEqual(['Name', 'Name:', 'Name', '名称', '名称：']);
    expect(root.textContent).not.toContain('*');
  });

  it('hashtags below a text are lines of it', () => {
    const { root, shown } = show('Caption\n#sunset\n#beach');
    expect(texts(root, 'p')).toEqual(['Caption\n#sunset\n#beach']);
    expect(shown).not.toContain('Caption#');
  });

  it.each([
    ['As said \uE200cite\uE202turn0search1\uE202turn0search2\uE201.', 'As said .'],
    ['See the file【4:0†report.pdf】 and【1†source】.', 'See the file and.'],
  ])('marks of a provider’s own sources are not shown: %j', (text, expected) => {
    const { root, shown } = show(text);
    expect(root.textContent).toBe(expected);
    expect(shown.join('')).not.toMatch(/turn0|†/);
    expect(show(`\`\`\`\n${text}\n\`\`\``).root.textContent).toContain(text);
  });

  it('a picture in a link is the text of the link', () => {
    const { root } = show('[![Build](https://a.example/b.svg)](https://a.example/run)');
    expect([...root.querySelectorAll('a')].map((link) => [link.href, link.textContent])).toEqual([
      ['https://a.example/run', 'Image: Build'],
    ]);
  });

  it('links of a table of contents lead to the titles', () => {
    const { root } = show(
      '- [Über uns & mehr](#über-uns--mehr)\n- [B](#b)\n\n## Über uns & *mehr*\n\n### B\n\nx[^1]\n\n[^1]: y',
    );
    const titles = [...root.querySelectorAll('h2, h3')].slice(0, 2);
    expect(titles.map(({ id }) => id)).toEqual(['m1-über-uns--mehr', 'm1-b']);
    expect([...root.querySelectorAll('a')].map((link) => decodeURI(link.hash))).toEqual([
      '#m1-über-uns--mehr',
      '#m1-b',
      '#m1-fn-1',
      '#m1-fnref-1',
    ]);
  });

  it('a fence may name a file or options after its language', () => {
    const { root } = show(
      '```typescript:src/app.ts\na\n```\n\n```{python}\nb\n```\n\n- x\n  ```rust,ignore\n  c\n  ```\n\n```c++\nd\n```',
    );
    expect([...root.querySelectorAll('pre')].map((code) => code.getAttribute('aria-label'))).toEqual([
      'Code in TypeScript',
      'Code in Python',
      'Code in Rust',
      'Code in C++',
    ]);
  });

  it('items that begin with bold text are one list, however the text arrives', () => {
    const { root } = show('* **a** x\n* **b** y\n\nText\n\n* **c**\n\n* **d**\n\n***\n\n- - -\n\n- **e**\n- *f*');
    expect([...root.querySelectorAll('ul')].map((list) => texts(list, 'li'))).toEqual([
      ['a x', 'b y'],
      ['c', 'd'],
      ['e', 'f'],
    ]);
    expect(root.querySelectorAll('hr')).toHaveLength(2);
  });

  it.each([
    'The terms x_i, x_{ij} and 2^n grow, as a_(b) does.',
    'So f*(x) + g*(x) holds in a C*-algebra, for 5* hotels and *.js files.',
    'Call f(a)** 2 or look at https://a.example/c** now.',
  ])('no star or underscore comes and goes at the end of a growing text: %s', (text) => {
    const { root, shown } = show(text);
    expect(root.textContent).toBe(text);
    expect(shown.filter((part) => !text.startsWith(part))).toEqual([]);
  });

  it('a wrong line break is one', () => {
    expect(show('one</br>two<br/>three').root.querySelectorAll('br')).toHaveLength(2);
  });

  it.each([
    ['a rise of $50\\%$ and $p=25.6\\$$, but $5 and $10', ['50\\%', 'p=25.6\\$']],
    ['**Answer:** \\boxed{\\frac{1}{2}} and \\ce{H2O}, not \\boxed{x', ['\\boxed{\\frac{1}{2}}', '\\ce{H2O}']],
    ['From $ 5k - 7k to $ 9k, $ 9 (c) - 4 $ 2, but $ 2x + 1 $.', ['2x + 1']],
    ['We have $ x + 1 $ and $ a < b $ but $ 5 and $ 6 - 7 $.', ['x + 1', 'a < b']],
    ['$\\ce{CO2}$ and $y = \\boxed{5}$, but 5$\\boxed{x}$', ['\\ce{CO2}', 'y = \\boxed{5}']],
    ['So\n\n\\begin{aligned}\na &= b\n\\end{aligned}\n\nholds.', ['\\begin{aligned} a &= b \\end{aligned}']],
    ['\\\\(\\\\frac{1}{2} + x\\\\) and \\\\[ y \\\\]', ['\\frac{1}{2} + x', 'y']],
    ['So\n\n$$\n0\n<x\n<1\n$$', ['0 <x <1']],
    ['| f |\n|---|\n| $\\|v\\|$ |\n| $P(A \\| B)$ |', ['\\vert v\\vert', 'P(A \\vert  B)']],
  ])('formulas are what a reader takes for them: %s', async (text, formulas) => {
    const { root } = show(text);
    await waitFor(() => expect(texts(root, 'annotation').map((source) => source.trim())).toEqual(formulas), {
      timeout: 30_000,
    });
  });

  it.each([
    ['Use f(*args, x), 2*3*4 and **kwargs.', []],
    ['a 2*3 *b* c', ['b']],
  ])('a star between digits ends no emphasis: %s', (text, emphasised) => {
    expect(texts(show(text).root, 'em')).toEqual(emphasised);
  });

  it.each([
    ['Dear \\[Your Name\\], see \\[1\\] \\(for example\\).', 'Dear [Your Name], see [1] (for example).'],
    ['- \\[x\\] done\n- \\[ \\] to do', 'done\n\nto do'],
  ])('escaped brackets around words are brackets: %j', (text, expected) => {
    const { root } = show(text);
    expect(root.querySelector('.katex')).toBeNull();
    expect(root.textContent).toContain(expected.split('\n')[0]);
  });

  it('an address ends before a particle of Japanese', () => {
    const { root } = show('詳しくはhttps://a.example/docsを見て、https://a.example/日本語のページです。');
    expect([...root.querySelectorAll('a')].map(({ textContent }) => textContent)).toEqual([
      'https://a.example/docs',
      'https://a.example/日本語のページです',
    ]);
  });

  it('text between tags that are alone on their lines is Markdown', () => {
    const { root } = show(
      '<answer>\nThe **result** is:\n- 5\n</answer>\n\n<div class="x">\n\n*a*\n</div>\n\n<svg> and <html> are tags.',
    );
    expect(texts(root, 'strong, em, li')).toEqual(['result', '5', 'a']);
    expect(root.textContent).toContain('<answer>');
    expect(root.textContent).toContain('<div class="x">');
    expect(texts(root, 'p').at(-1)).toBe('<svg> and <html> are tags.');
  });

  it('a page or a picture without fences is code', () => {
    const page = '<!DOCTYPE html>\n<html>\n<style>\n* { margin: 0 }\n</style>\n\n    <p>**a**</p>\n</html>';
    const { root } = show(`Here:\n\n${page}\n\nDone, or:\n<svg width="1">\n<path/>\n</svg>`);
    expect(texts(root, 'pre')).toEqual([page, '<svg width="1">\n<path/>\n</svg>']);
    expect(texts(root, ':scope > p')).toEqual(['Here:', 'Done, or:']);
  });

  it('trees of folders and boxes keep their columns', () => {
    const tree = 'app/\n├── __init__.py\n│   └── b_*.py\n└── c.md';
    const box = '+-----+\n| a_b |\n+-----+';
    const { root } = show(`The files:\n${tree}\n\n${box}\n\nEnd`);
    expect(texts(root, 'pre')).toEqual([tree, box]);
    expect(texts(root, ':scope > p')).toEqual(['The files:', 'End']);
  });

  it('the second line of a table may have long dashes', () => {
    expect(texts(show('| a | b |\n|——|:–:|\n| 1 | 2 |').root, 'th, td')).toEqual(['a', 'b', '1', '2']);
  });

  it('colours of a terminal are not shown', () => {
    const { root } = show('```\n\u001B[31mred\u001B[0m ok\n```\n\nraw \u001B[1;32mgreen\u001B[0m text');
    expect(texts(root, 'pre, :scope > p')).toEqual(['red ok', 'raw green text']);
  });

  it('nothing of a table, a tag, a fence or bold text is seen before it has its form', () => {
    const text =
      'Both:\n| **Name** | *b* |\n|---|---|\n| x<br>y | 2 |\n\n1. **Enter the Pod**: a\n\n```python\na\n```\n\n<details>\n<summary>More</summary>\nx\n</details>';
    const { shown } = show(text);
    expect(shown.filter((part) => /\||\*|<|`|LaTeX|Pyt(?!hon)/.test(part))).toEqual([]);
  });

  it.each([
    ['```json {"a": 1}\n```', '{"a": 1}', 'Code in JSON'],
    ['```json {\n  "a": 1\n}\n```', '{\n  "a": 1\n}', 'Code in JSON'],
    ['```bash npm install react\n```', 'npm install react', 'Code in Bash'],
    ['``` npm install react\n```', 'npm install react', 'Code'],
    ['```html <p>a</p>\n<p>b</p>\n```', '<p>a</p>\n<p>b</p>', 'Code in HTML'],
    ['```js {1,3} title="a.js"\na\n```', 'a', 'Code in JavaScript'],
    ['```ts src/app.ts\na\n```', 'a', 'Code in TypeScript'],
  ])('code on the line of its fence is code: %j', (text, code, name) => {
    for (const { root } of [show(`${text}\n\nend`), show(`- x\n  ${text.replaceAll('\n', '\n  ')}\n- y`)]) {
      expect(texts(root, 'pre')).toEqual([code]);
      expect(root.querySelector('pre')!.getAttribute('aria-label')).toBe(name);
    }
  });

  it('tags that only place or colour a text are not shown', () => {
    const { root, shown } = show(
      '<center>**a**</center>\n\n<div align="center">\n\n## b\n\n</div>\n\n<p align="right">c <font color="red">d</font></p>\n\nx <span style="color: red">**e**</span> and <u id="x">f</u>\n\n| g |\n|---|\n| <font color=blue>h</font> |',
    );
    expect(root.textContent).toBe('a\nb\nc d\nx e and f\ng\nh'.replaceAll('\n', ''));
    expect(texts(root, 'strong, h2, u, td')).toEqual(['a', 'b', 'e', 'f', 'h']);
    expect(root.querySelector('[style], [align], [color], #x')).toBeNull();
    expect(shown.filter((part) => /[<>]/.test(part))).toEqual([]);
  });

  it('links, pictures, titles and rules that are written as HTML are those of Markdown', () => {
    const { root } = show(
      '<h3 align="center">A &amp; B</h3>\n\n<hr>\n\nSee <a href="https://a.example/?b=1&amp;c=2" onclick="x">the <b>page</b></a> and <img src="https://a.example/p.png" alt="p">.\n\n<a href="javascript:x">y</a>',
    );
    expect(texts(root, 'h3')).toEqual(['A & B']);
    expect(root.querySelectorAll('hr')).toHaveLength(1);
    expect([...root.querySelectorAll('a')].map((link) => [link.href, link.textContent])).toEqual([
      ['https://a.example/?b=1&c=2', 'the page'],
      ['https://a.example/p.png', 'Image: p'],
    ]);
    expect(root.textContent).toContain('y');
    expect(root.innerHTML).not.toMatch(/javascript|onclick|<img/);
  });

  it('tags of other kinds, and those without their counterpart, stay text', () => {
    const text = 'Use <span>, List<Font>, <T>, <my-tag a="b">x</my-tag>, </div> and <a name="x">.';
    expect(show(text).root.textContent).toBe(text);
  });

  it('an alert may have its text or a title on its first line, in any case', () => {
    const { root } = show('> [!WARNING] Take care\n> Hot.\n\n> [!note]- Folded\n\n> [!TIP]\n> Cold.');
    expect(texts(root, 'blockquote')).toEqual(['Warning\nTake care\nHot.', 'Note\nFolded', 'Tip\nCold.']);
    expect(texts(root, 'strong')).toEqual(['Warning', 'Note', 'Tip']);
  });

  it.each([
    ['*(in stars)*text and *“Quoted words”*also', ['(in stars)', '“Quoted words”']],
    ['文*（注意）*字', ['（注意）']],
    ['Compute 2 *(count)*size and a*(b)*c, *(p)*q.', []],
    ['Area = 0.5 *(a + b)*h and x = *(p + 1)*y, 2 *(first value + second value)*n.', []],
  ])('emphasis around brackets ends before a letter: %s', (text, emphasised) => {
    expect(texts(show(text).root, 'em')).toEqual(emphasised);
  });

  it.each([
    '<table border="1"><tr><th>a</th><th>b</th></tr><tr><td>1 | <b>2</b></td><td>x<br>y</td></tr></table>',
    '<table>\n  <thead>\n    <tr>\n      <th>a</th>\n      <th>b</th>\n    </tr>\n  </thead>\n  <tbody>\n\n    <tr><td>1 | <b>2</b></td>\n      <td>x<br>y</td></tr>\n  </tbody>\n</table>',
    '<table><tr><td>a<td>b<tr><td>1 | <b>2</b><td>x<br>y</table>',
  ])('a table that is written as HTML is one: %s', (table) => {
    const { root, shown } = show(`Here:\n${table}`);
    expect(texts(root, 'table th, table td')).toEqual(['a', 'b', '1 | 2', 'x\ny']);
    expect(texts(root, ':scope > p')).toEqual(['Here:']);
    expect(shown.filter((part) => part.includes('<'))).toEqual([]);
    expect(texts(show(`${table}\nEnd **b**`).root, ':scope > p > strong')).toEqual(['b']);
  });

  it.each([
    '<table> is an element of HTML.\n\nWords.\n\nRows are `<tr>` and `</table>` ends it.\n\nEnd **b**.',
    'Text\n<table>\nWords outside of cells **b**.\n\n<table>',
    '<table><tr><td>a</td></tr>\n\nIt has **b** no end.',
    '<table>\n<tr><td>a <pre>**b**</pre></td></tr></table>',
    '<td>a</td>\n<table><td>**b**</td></table> c',
    `<table><tr>${'<td>a'.repeat(101)}</table> **b**`,
  ])('what is no whole table stays text: %s', (text) => {
    const { root } = show(text);
    const plain = (shown: string) => shown.replace(/[`*\s]/g, '');
    expect(plain(root.textContent)).toBe(plain(text));
    expect(texts(root, 'strong')).toEqual(['b']);
    expect(root.querySelector('table')).toBeNull();
  });

  it('code that is a table stays code', () => {
    const { root } = show('<table> is used so:\n\n```html\n<table><tr><td>a</td></tr></table>\n```\n\nEnd **b**.');
    expect(texts(root, 'pre')).toEqual(['<table><tr><td>a</td></tr></table>']);
    expect(texts(root, ':scope > p')).toEqual(['<table> is used so:', 'End b.']);
    const cell = show('<table>\n<tr><td>\n\n```js\na\n```\n\n</td></tr>\n</table>\n\nEnd');
    expect(texts(cell.root, 'pre')).toEqual(['a']);
  });

  it('the caption of a table, its longest row and the text behind it are shown', () => {
    const { root } = show(
      'İ\n<table><caption>Sales\n2024</caption>\n<tr><td>İ<td>\\|x\\|</tr>\n<tr></tr><tr><td>1<td>2<td>3</tr></table> and **b**\n<table><tr><td>c</table>',
    );
    expect(texts(root, ':scope > p')).toEqual(['İ', 'Sales 2024', 'and b']);
    expect(texts(root, 'th, td')).toEqual(['İ', '|x|', '', '1', '2', '3', 'c']);
  });

  it.each([
    ['rows of different length', `<table>\n${'<tr>\n'.repeat(3_000)}${'<td>\n'.repeat(3_000)}</table>`],
    ['tables in tables', '<table>\n'.repeat(5_000)],
    ['tables on one line', '<table><tr><td>a</table>'.repeat(800)],
    ['tags that grow', `<table>\n<tr><td>${'<'.repeat(19_000)}`],
    ['attributes', '<p a='.repeat(4_000)],
  ])('hostile text is read in time: %s', (_, text) => {
    const start = performance.now();
    const mender = new LineMender();
    mender.mend(text, false);
    expect(mender.mend(text, true).length).toBeLessThan(text.length * 3);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it.each([
    ['1. First\n| a | b |\n|---|---|\n| 1 | 2 |\n\n2. Second', ['First', 'Second']],
    ['- First\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n- Second', ['First', 'Second']],
    ['Text before\n| a | b |\n| --- | --- |\n| 1 | 2 |\nText after', []],
  ])('a table directly below an item or a text is one from its first letter on: %j', (text, items) => {
    const { root, shown } = show(text);
    expect(texts(root, 'th, td')).toEqual(['a', 'b', '1', '2']);
    expect([...root.querySelectorAll('li')].map((item) => item.firstChild!.textContent!.trim())).toEqual(items);
    expect(shown.filter((part) => part.includes('|'))).toEqual([]);
  });

  it('lines with norms that looked like a table are a text again', () => {
    expect(texts(show('Norm:\n|x| < 3 and |y| > 2\n| x | = 5').root, 'p')).toEqual([
      'Norm:\n|x| < 3 and |y| > 2\n| x | = 5',
    ]);
  });

  it('an item that begins with a comparison is no quotation', () => {
    const { root, shown } = show('- > 25: much\n- >= $30\n1. >5\n- > a quotation');
    expect(texts(root, 'li')).toEqual(['> 25: much', '>= $30', '>5', 'a quotation']);
    expect(texts(root, 'blockquote')).toEqual(['a quotation']);
    expect(shown.filter((part) => part.includes('quot') && part.includes('> a'))).toEqual([]);
  });

  it('marks of code, struck, bold and nested text are not seen while they grow', () => {
    const { root, shown } = show(
      '- **Use `npm install`** now\n- *a `b` c*, **bold *nested* end** and ~~old~~\n- ``x ` y`` and _e_ for snake_',
    );
    expect(texts(root, 'strong, em, code, del')).toEqual([
      'Use npm install',
      'npm install',
      'a b c',
      'b',
      'bold nested end',
      'nested',
      'old',
      'x ` y',
      'e',
    ]);
    expect(shown.filter((part) => /\*|``|`npm|~|__| _/.test(part))).toEqual([]);
  });

  it('an address in angle brackets and the address of a reference show no bracket while they grow', () => {
    const { root, shown } = show('See <https://a.example/x?y=1> and [b].\n\n[b]: <https://a.example/b>');
    expect([...root.querySelectorAll('a')].map(({ href }) => href)).toEqual([
      'https://a.example/x?y=1',
      'https://a.example/b',
    ]);
    expect(shown.filter((part) => /<|\]:/.test(part))).toEqual([]);
  });

  it('dollars and brackets of code are those of code while it grows', () => {
    const { shown } = show('or $5-$10; `$HOME` and `\\(y\\)` too');
    expect(shown.filter((part) => part.includes('$$') || part.includes('$5-10'))).toEqual([]);
    expect(shown).toContain('or $5-$10; $HOME and \\(y');
  });

  it('formulas without a space between them are two', async () => {
    const { root } = show('\\(a\\)\\(b\\)');
    await waitFor(() => expect(texts(root, 'annotation')).toEqual(['a', 'b']), { timeout: 30_000 });
  });

  it('a long table on one line is read up to the tag that grows', () => {
    const row = '<tr><td>a name</td><td>1 < 2 > 1</td></tr>';
    const table = `<table>${row.repeat(1_000)}</table>`;
    const mender = new LineMender();
    const shown = new Set<string>();
    for (let length = 20; length < table.length; length += 20) shown.add(mender.mend(table.slice(0, length), false));
    expect([...shown]).toEqual(['']);
    const rows = mender.mend(table, true);
    expect(rows).toBe(new LineMender().mend(table, true));
    expect(rows.split('\n').filter((line) => line === '| a name | 1 < 2 > 1 |')).toHaveLength(1_000);
  });

  it('a title over several lines, or with a text behind it, is one', () => {
    const { root, shown } = show(
      '<h1 align="center">\n  My **title**\n</h1>\n\n<h2 style="color: red">Hi</h2> and more\n\n<h3 align="left">Late\n</h3>\n\nEnd',
    );
    expect(texts(root, 'h1, h2, h3')).toEqual(['My title', 'Hi', 'Late']);
    expect(texts(root, ':scope > p')).toEqual(['and more', 'End']);
    expect(shown.filter((part) => /[<>]/.test(part))).toEqual([]);
  });

  it('a letter that is compared hides no text while it grows', () => {
    const text = 'if x <p and then a long sentence';
    expect(show(text).shown.at(-1)).toBe(text);
    expect(show(text).shown).toContain('if x <p and then');
  });

  it('a table of LaTeX is one', async () => {
    const { root } = show(
      'So\n\n\\begin{tabular}{|l|c|}\n\\hline\nName & Cost \\$ \\\\\n\\hline\nLong name & $x^2$ \\\\\n\\hline\n\\end{tabular}\n\nholds.',
    );
    await waitFor(() => expect(root.querySelectorAll('.katex mtable mtr')).toHaveLength(2), { timeout: 30_000 });
    expect(root.querySelector('.katex-error')).toBeNull();
    expect(root.querySelector('.katex mtable')!.textContent).toMatch(/^Name.*Long\sname/);
  });

  it('rows of such a table have no spaces as text, and very many stay as they are', () => {
    const tabular = (rows: string) => `\\begin{tabular}{l}${rows}\\end{tabular}`;
    expect(readableTex(tabular(String.raw`a \\[2pt] \hline b`), true)).toBe(
      String.raw`\begin{array}{l}\text{a}\\ \hline \text{b}\end{array}`,
    );
    const long = tabular('a \\\\'.repeat(40_000));
    expect(readableTex(long, true)).toBe(long);
  });

  it.each([
    ['$$\n\\begin{aligned}\na &= \\boxed{b}\n\\end{aligned}\n$$\n\nholds.', /^code$/],
    ['\\[\n\\begin{aligned}\na &= \\boxed{b}\n\\end{aligned}\n\\]\n\nholds.', /^code$/],
    ['See $\\ce{CO2}$ and $y = \\boxed{5}$.', /\$\$/],
  ])('a formula that grows is neither an empty block of code nor between more dollars: %j', async (text, wrong) => {
    const view = render(page(text, false));
    await waitFor(() => expect(view.container.querySelector('.katex')).not.toBeNull(), { timeout: 30_000 });
    const shown: string[] = [];
    for (let length = 1; length <= text.length; length += 1) {
      view.rerender(page(text.slice(0, length), true));
      const { textContent } = answerIn(view.container);
      shown.push(view.container.querySelector('pre') === null ? textContent : 'code');
    }
    expect(shown.filter((part) => wrong.test(part))).toEqual([]);
  });
});
