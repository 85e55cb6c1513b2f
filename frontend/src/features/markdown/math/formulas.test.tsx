import { render, screen, waitFor } from '@testing-library/react';
import RenderedMarkdown from '../rendered-markdown';
import { FakeTheme } from '../../../components/layout/fake-theme';

async function show(text: string, formulas: number) {
  render(
    <FakeTheme>
      <div data-testid="message">
        <RenderedMarkdown text={text} streaming={false} scope="m1" />
      </div>
    </FakeTheme>,
  );
  const root = screen.getByTestId('message');
  await waitFor(() => expect(root.querySelectorAll('.katex')).toHaveLength(formulas), { timeout: 30_000 });
  expect(root.querySelector('.katex-error')).toBeNull();
  return { root, count: (selector: string) => root.querySelectorAll(selector).length };
}

function visibleText(root: HTMLElement) {
  const copy = root.cloneNode(true) as HTMLElement;
  copy.querySelectorAll('annotation').forEach((annotation) => annotation.remove());
  return copy.textContent;
}

test('formulas stay inside of their list item and their quotation', async () => {
  const { root, count } = await show(
    '1. Energy:\n   \\[\n   E = mc^2\n   \\]\n   where c is constant.\n2. Mass: \\[ m = 1 \\]\n   - nested \\(a+b\\)\n3. Done\n\n> Quote: \\[ q = 2 \\]\n> still quoted\n',
    4,
  );
  expect([count('ol'), count('ol > li'), count('li .katex'), count('blockquote .katex')]).toEqual([1, 3, 3, 1]);
  expect(count('.katex-display')).toBe(3);
  expect(root.querySelector('blockquote')?.textContent).toContain('still quoted');
});

test('equations of chemistry are formulas, and so are units', async () => {
  const { root } = await show(
    'Water: \\(\\ce{2H2 + O2 -> 2H2O}\\) at \\(\\pu{25 °C}\\).\n\n$$\\ce{SO4^2- + Ba^2+ -> BaSO4 v}$$',
    3,
  );
  expect(visibleText(root)).not.toContain('\\ce');
  expect(visibleText(root)).toContain('→');
});

test.each([
  ['1. A\n\n   \\[\n   a\n   \\]\n\n   b\n\n2. B: $$c$$ then text\n3. C\n', 2, 3],
  ['* **Step**: \\[ s = 1, \\] where\n* next\n', 1, 2],
  ['- Formula\n  $$\n  x^2\n  $$\n  text\n- Next\n', 1, 2],
  ['- $$\\begin{cases} 1 & n=0 \\\\[2pt] 2 & n>0 \\end{cases}$$\n- then \\[ y = 2 \\]\n', 2, 2],
  [
    '1. Sum\n   $$\\begin{aligned}\n   a &= 1 \\\\\n   - b &= 2\n   \\end{aligned}$$\n   - inner \\[\n     + c\n     \\]\n2. Next',
    2,
    3,
  ],
  ['- a\n  > \\[\n  > 1. x\n  >\n  > = y\n  > \\]\n  > end\n- b', 1, 2],
])('one list keeps its formulas: %j', async (text, formulas, items) => {
  const { count } = await show(text, formulas);
  expect([count('li .katex'), count('li'), count(':scope > :not(ul, ol)')]).toEqual([formulas, items, 0]);
});

test('formulas are shown in cells and headings', async () => {
  const { count } = await show('| f | g |\n|---|---|\n| $|x|$ | \\[ c \\] |\n\n## Root \\[ r \\] of $s$\n', 4);
  expect([count('td'), count('td .katex'), count('h2 .katex')]).toEqual([2, 2, 2]);
});

test.each([
  ['$$\\begin{aligned} a &= b \\\\[6pt] c &= d \\end{aligned}$$ so \\[ x = 1 \\] holds.', 2],
  ['With $a\\\\[2pt]b$ then \\[ q \\].', 2],
  ['\\\\( x^2 \\\\) and \\\\[ y \\\\]', 2],
  ['\\[ \\begin{aligned} a \\\\[6pt] b \\end{aligned} \\]', 1],
  ['$$\\begin{cases}\n1 & n=0 \\\\[2pt]\n2\n\\end{cases}$$\n\nThen \\(z\\).', 2],
  ['Between\n\\[\na\n\n- b\n\\]\nand after.', 1],
])('no source of a formula is visible: %j', async (text, formulas) => {
  const { root } = await show(text, formulas);
  expect(visibleText(root)).not.toMatch(/\\begin|[62]pt|\$\$|\\[[(]/);
});

test('display formulas are not in the line', async () => {
  const { count } = await show('So $x$ and\n\n$$\ny\n$$\n\nor\n$$z$$\n', 3);
  expect(count('.katex-display')).toBe(2);
});

test.each([
  ['$\\text{total_cost} = 50\\% \\text{ of R&D}$', 1],
  ['\\[ \\text{cm^2} \\label{eq:a} \\tag{1} \\]', 1],
  ['\\[\n\\begin{aligned}\na &= 1 \\tag{1} \\\\\nb &= 2 \\tag{2}\n\\end{aligned}\n\\]', 1],
  ['$\\begin{align} a &= b \\end{align}$ and $x \\tag{3}$', 2],
  ['\\begin{eqnarray}\na &=& b\n\\end{eqnarray}', 1],
  ['\\[ \\require{cancel} \\cancel{x} + \\abs{y} + \\norm{\\mathbf{z}} + \\SI{5}{\\meter} \\]', 1],
])('formulas of whole documents are readable: %j', async (text, formulas) => {
  await show(text, formulas);
});

test('a growing text shows the formulas that have ended, and keeps their elements', async () => {
  const page = (text: string, streaming: boolean) => (
    <FakeTheme>
      <div data-testid="message">
        <RenderedMarkdown text={text} streaming={streaming} scope="m1" />
      </div>
    </FakeTheme>
  );
  const view = render(page('So $x_1 * y$ and **$z_2$ is \\(a', true));
  const root = screen.getByTestId('message');
  await waitFor(() => expect(root.querySelectorAll('.katex')).toHaveLength(2), { timeout: 30_000 });
  expect(root.querySelector('strong .katex')).not.toBeNull();
  const [first] = root.querySelectorAll('.katex');
  view.rerender(page('So $x_1 * y$ and **$z_2$ is \\(a\\) of**', true));
  expect(root.querySelectorAll('.katex')).toHaveLength(3);
  view.rerender(page('So $x_1 * y$ and **$z_2$ is \\(a\\) of** $5/$', true));
  expect(root.querySelectorAll('.katex')).toHaveLength(3);
  view.rerender(page('So $x_1 * y$ and **$z_2$ is \\(a\\) of** $5/$6.', false));
  expect(root.querySelectorAll('.katex')).toHaveLength(3);
  expect(root.querySelector('.katex')).toBe(first);
});

test('the macros of a formula do not change the next one', async () => {
  const { root } = await show('$\\gdef\\abs#1{wrong}\\abs{x}$ then $\\abs{y}$', 2);
  expect(root.querySelectorAll('.katex')[1]?.textContent).not.toContain('wrong');
});
