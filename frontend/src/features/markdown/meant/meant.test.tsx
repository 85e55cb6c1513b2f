import { render, screen, waitFor } from '@testing-library/react';
import { FakeTheme } from '../../../components/layout/fake-theme';
import { BlockSplitter } from '../blocks';
import RenderedMarkdown from '../rendered-markdown';

const page = (text: string, streaming: boolean) => (
  <FakeTheme>
    <div data-testid="message">
      <RenderedMarkdown text={text} streaming={streaming} scope="m1" />
    </div>
  </FakeTheme>
);

/** An answer as it is shown at its end, after it has grown by one character at a time. */
function show(text: string, { grows = true } = {}) {
  const view = render(page('', true));
  if (grows) for (let length = 1; length <= text.length; length += 1) view.rerender(page(text.slice(0, length), true));
  view.rerender(page(text, false));
  return view.container.querySelector<HTMLElement>('[data-testid=message]')!;
}

const texts = (root: HTMLElement, selector: string) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent?.trim());

const codeOf = (root: HTMLElement) => texts(root, '.code-block pre');

describe('lines', () => {
  it('end where the model ended them', () => {
    const root = show('Rosen sind rot,\nVeilchen blau.\n\n- Jl. Melati 5\n  Jakarta\n\n春眠不觉晓\n处处闻啼鸟');
    expect(root.querySelectorAll('p br, li br')).toHaveLength(3);
    expect(texts(root, 'p').at(-1)).toBe('春眠不觉晓\n处处闻啼鸟');
  });
});

describe('fences', () => {
  it('stay inside of a block of Markdown', () => {
    const inner = '# Title\n\n```jsx\nlog("a");\n```\n\nExample:\n\n```\nplain\n```\n\nMore text';
    const root = show(`Here it is:\n\n\`\`\`markdown\n${inner}\n\`\`\`\n\nThe end.`);
    expect(codeOf(root)).toEqual([inner]);
    expect(texts(root, 'p')).toEqual(['Here it is:', 'The end.']);
  });

  it('close a block of Markdown that has no other end', () => {
    const root = show('```md\n# Title\n```\n\nText with\n\n```js\na\n```\n\nmore.');
    expect(codeOf(root)).toEqual(['# Title', 'a']);
    const open = show('```md\nExample:\n```\n\nText.');
    expect(texts(open, 'p').at(-1)).toBe('Text.');
  });

  it.each([
    [
      'a close that is indented less',
      '1. Install\n   ```bash\n   npm ci\n```\n2. Start\n   ```bash\n   npm start\n   ```\n',
    ],
    ['code that is indented less', '1. Install\n   ```bash\nnpm ci\n   ```\n2. Start\n   ```bash\nnpm start\n```\n'],
    ['text on the line of the fence', '1. Install```bash\nnpm ci\n```\n2. Start:```bash\n   npm start\n   ```\n'],
    [
      'a fence that is indented by a tab',
      '1. Install\n\t```bash\n\tnpm ci\n\t```\n2. Start\n\t```bash\n\tnpm start\n\t```\n',
    ],
  ])('in a list with %s end where they are meant to', (_, text) => {
    const root = show(`${text}\nDone.`);
    expect(codeOf(root)).toEqual(['npm ci', 'npm start']);
    expect(texts(root, ':scope > p')).toEqual(['Done.']);
    expect(root.querySelectorAll('ol > li')).toHaveLength(2);
  });

  it('are no code themselves where all of the answer is indented', () => {
    const root = show('Run this:\n\n    ```python\n    if a:\n        b()\n    ```\n\nThen go on.');
    expect(codeOf(root)).toEqual(['if a:\n    b()']);
  });

  it('may stand on one line with their code', () => {
    const root = show('Run\n```npm ci```\nand\n\n- then:\n  ```npm start```\n- or `x`');
    expect(codeOf(root)).toEqual(['npm ci', 'npm start']);
    expect(root.querySelectorAll('ul > li')).toHaveLength(2);
    expect(root.querySelectorAll('li pre')).toHaveLength(1);
  });

  it('that grow are not shown as code', () => {
    render(page('```js\nlet a;\n``', true));
    expect(screen.getByLabelText('Code in JavaScript').textContent).toBe('let a;');
  });

  it('keep their code', () => {
    const code = 'a ``` b\n  ## c\n\n--- \n| d | `e|f` |\n|---|\n[x](https://a.example/b c)\n<details>';
    expect(codeOf(show(`\`\`\`text\n${code}\n\`\`\``))).toEqual([code]);
    expect(codeOf(show(`~~~\n\`\`\`\n${code}\n~~~`))).toEqual([`\`\`\`\n${code}`]);
  });

  it('with formulas alone are formulas', async () => {
    const root = show('So:\n\n```math\nx^2\n```\n', { grows: false });
    expect(codeOf(root)).toEqual([]);
    await waitFor(() => expect(root.querySelector('.katex-display')).not.toBeNull(), { timeout: 30_000 });
  });
});

describe('tables', () => {
  it('keep code with bars in its cell', () => {
    const root = show('| Use | Code |\n|---|---|\n| or | `a || b` |\n| pipe | `ls | wc` and `x` |\n| `a` | b | c |');
    expect(texts(root, 'td')).toEqual(['or', 'a || b', 'pipe', 'ls | wc and x', 'a', 'b']);
  });

  it.each([
    ['few', '|---|'],
    ['many', '|:-:|---|---|---|'],
  ])('with too %s cells in their second line are tables', (_, delimiters) => {
    const root = show(`| a | b | c |\n${delimiters}\n| 1 | 2 | 3 |`);
    expect(texts(root, 'th, td')).toEqual(['a', 'b', 'c', '1', '2', '3']);
  });

  it('have their form from the first letter on', () => {
    const text = '| Name | Age |\n| --- | --- |\n| Ayu | 30 |';
    for (let length = 3; length <= text.length; length += 1) {
      const view = render(page(text.slice(0, length), true));
      expect([length, view.container.querySelectorAll('table').length]).toEqual([length, 1]);
      expect(view.container.querySelector('p')).toBeNull();
      view.unmount();
    }
  });

  it('have lists, lines and powers in their cells', () => {
    const root = show('| a |\n|---|\n| <ul><li>x</li><li>y</li></ul> |\n| m<sup>2</sup><br>H<sub>2</sub>O |');
    expect(texts(root, 'td > ul > li')).toEqual(['x', 'y']);
    expect(texts(root, 'td > sup, td > sub')).toEqual(['2', '2']);
    expect(root.textContent).not.toContain('<');
  });
});

describe('titles and rules', () => {
  it('a title may have no space after its signs', () => {
    const root = show('##标题\n\n###Überblick\ntext\n\n#hashtag');
    expect(texts(root, 'h2, h3')).toEqual(['标题', 'Überblick']);
    expect(texts(root, 'p').at(-1)).toBe('#hashtag');
  });

  it('a list that begins below a text makes no title of it', () => {
    for (const growing of ['Text\n-', 'Text\n--', 'Text\n=', 'Text\n*', '- a\n-']) {
      const view = render(page(growing, true));
      expect(view.container.querySelector('h1, h2')).toBeNull();
      expect(view.container.textContent.trim()).toMatch(/^(?:Text|a)$/);
      view.unmount();
    }
  });

  it('dashes below a paragraph are a rule', () => {
    const root = show('A paragraph.\n---\nAnother one.\n\n- item\n---\nTitle\n====');
    expect(root.querySelectorAll('hr')).toHaveLength(2);
    expect(texts(root, 'h1, h2')).toEqual(['Title']);
  });
});

describe('emphasis', () => {
  it.each([
    ['use **`foo`**s and **(a)**b', ['foo', '(a)']],
    ['**Wichtig: **Text, und **„Zitat“**s', ['Wichtig:', '„Zitat“']],
    ['คำ**“อ้าง”**ที่ **สำคัญ:**ข้อความ', ['“อ้าง”', 'สำคัญ:']],
    ['**مهم:**نص', ['مهم:']],
    ['call f(**kwargs) or g(**opts), a ** b ** c, \\*\\*x\\*\\*y', []],
    ['2**3 and 4**5, then x**2+y**2', []],
    ['un**believ**able and the**bold words**too', ['believ', 'bold words']],
    ['**ready** and **not', ['ready']],
  ])('bold text is bold for readers: %s', (text, bold) => {
    expect(texts(show(text, { grows: false }), 'strong')).toEqual(bold);
  });

  it('stars between factors multiply', () => {
    const root = show('5*3*2 = 30, a*b*c, un*believ*able and *x* y, 2*x + 3*y.');
    expect(texts(root, 'em')).toEqual(['believ', 'x']);
    expect(root.textContent).toBe('5*3*2 = 30, a*b*c, unbelievable and x y, 2*x + 3*y.');
  });

  it('names of Python keep their underscores', () => {
    const root = show('Write __init__ and __main__.py, and __really bold__.');
    expect(texts(root, 'strong')).toEqual(['really bold']);
    expect(root.textContent).toContain('Write __init__ and __main__.py');
  });
});

describe('HTML', () => {
  it('changes the look of text by tags without attributes', () => {
    const root = show('H<sub>2</sub>O, x<SUP>2</SUP>, <kbd>Ctrl</kbd>, <b>a *b*</b> and <mark>c</mark>');
    expect(texts(root, 'sub, sup, kbd, b, mark')).toEqual(['2', '2', 'Ctrl', 'a b', 'c']);
    expect(root.textContent).not.toContain('<');
  });

  it('is not seen while its end is to come', () => {
    render(page('H<sub>2', true));
    expect(screen.getByTestId('message').textContent).toBe('H2');
  });

  it.each([
    '<details>\n<summary>More <b>here</b></summary>\n\n**Bold**\n\n```js\na\n```\n\n</details>\n\nAfter',
    '<details><summary>More here</summary>\n**Bold**\n\n```js\na\n```\n</details>\nAfter',
    '<details open="x">\n<summary>\nMore here\n</summary>\n\n**Bold**\n\n<details><summary>In</summary>x</details>\n\n```js\na\n```\n\n</details>\n\nAfter',
  ])('folds a text: %j', (text) => {
    const root = show(text);
    const [folded] = root.querySelectorAll('details');
    expect(folded?.hasAttribute('open')).toBe(false);
    expect(folded?.querySelector('summary')?.textContent).toBe('More here');
    expect(texts(folded!, 'strong')).toEqual(['Bold']);
    expect(texts(folded!, 'pre')).toEqual(['a']);
    expect(texts(root, ':scope > p')).toEqual(['After']);
    expect(root.textContent).not.toContain('<');
  });

  // Browsers fail at deep nesting.
  it.each([
    ['b', `${'<b>'.repeat(500)}x${'</b>'.repeat(500)}`],
    ['details', `${'<details>\n\n'.repeat(500)}x`],
  ])('has at most 20 %s inside of each other', (tag, text) => {
    const root = show(text, { grows: false });
    expect(root.querySelectorAll(tag)).toHaveLength(20);
    expect(root.textContent).toContain('x');
  });

  it('names an alert by its kind', () => {
    const root = show('> [!WARNING]\n> This *deletes* files.\n\n> [!other] x');
    expect(texts(root, 'blockquote strong')).toEqual(['Warning']);
    expect(root.querySelector('blockquote')?.textContent).toContain('This deletes files.');
    expect(root.textContent).toContain('[!other] x');
  });
});

describe('lists, addresses and directions', () => {
  it('a list below a number is inside of it', () => {
    const root = show(
      '1. **A**\n  - a\n    - deep\n  - b\n    ```js\n    c\n    ```\n2. **B**\n  * d\n\n10. **C**\n  - e\n\nEnd',
    );
    expect(root.querySelectorAll('ol > li')).toHaveLength(3);
    expect(texts(root, 'ol > li > ul > li > ul > li')).toEqual(['deep']);
    expect(root.querySelectorAll('ol > li > ul > li')).toHaveLength(4);
    expect(codeOf(root)).toEqual(['c']);
    expect(texts(root, ':scope > p')).toEqual(['End']);
  });

  it('an address may have spaces', () => {
    const root = show('See [the report](https://a.example/my file.pdf) and [b](https://b.example "Title").');
    expect([...root.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      'https://a.example/my%20file.pdf',
      'https://b.example/',
    ]);
  });

  it('lists and quotations have the direction of their text', () => {
    const root = show('Two lists:\n\n- واحد\n- اثنان\n\n> اقتباس\n\n1. one');
    expect([...root.querySelectorAll('ul, ol, blockquote')].map((part) => part.getAttribute('dir'))).toEqual([
      'auto',
      'auto',
      'auto',
    ]);
  });
});

const ANSWER = [
  'Intro\n---\nText:```sh\nls\n```',
  '```markdown\n# T\n```js\na\n```\nend\n```',
  '| a | b |\n|---|\n| `x|y` | 2 |\nafter',
  '1. A\n  - b\n   ```\nc\n```\n2. D',
  '<details><summary>S</summary>\nx\n</details>\ny',
  '##T\n`'.repeat(3),
].join('\n\n');

test('a growing answer ends in the same blocks as a whole one', () => {
  const splitter = new BlockSplitter();
  for (let length = 1; length < ANSWER.length; length += 1) splitter.split(ANSWER.slice(0, length), false);
  expect(splitter.split(ANSWER)).toEqual(new BlockSplitter().split(ANSWER));
});

test.each(['-', '--', '---', '\n|', '| a', '| a |\n', '| a |\n|-', 'Use:```', '##T'])(
  'the blocks before %j stay the same ones',
  (more) => {
    const splitter = new BlockSplitter();
    const before = splitter.split(`${ANSWER}\n\n`, false);
    const after = splitter.split(`${ANSWER}\n\n${more}`, false);
    before.slice(0, -1).forEach((block, index) => expect(after[index]).toBe(block));
  },
);

test.each(['`', '```\n', '| a ', '|---', '<details>', '<sub>', '**', '[a](https://a.example/b c', '  - ', '## '])(
  'reads 200,000 characters of %j',
  (piece) => {
    const text = piece.repeat(200_000 / piece.length);
    expect(new BlockSplitter().split(text).length).toBeGreaterThan(0);
  },
);

// It takes a fraction of a second, unless each update compares the text before it one character at a time.
test('reads an answer of 100,000 characters that grows by one word at a time', () => {
  const splitter = new BlockSplitter();
  let text = '';
  for (let words = 0; words < 20_000; words += 1) {
    text += words % 12 === 0 ? 'word.\n\n' : 'word ';
    splitter.split(text, false);
  }
  expect(splitter.split(text)).toEqual(new BlockSplitter().split(text));
});
