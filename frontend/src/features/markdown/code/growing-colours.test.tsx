import { render } from '@testing-library/react';
import { GrowingColours } from './growing-colours';
import { highlight, prepare } from './highlighter';
import type { Coloured } from './languages';

/** The text of each colour of an element, in order. */
const colouredIn = (root: Element) =>
  [...root.querySelectorAll('[class^=hljs]')]
    .filter(({ children }) => children.length === 0)
    .map(({ className, textContent }) => `${className}: ${textContent}`);

function shown(nodes: React.ReactNode): HTMLElement {
  return render(<pre>{nodes}</pre>).container;
}

const whole = (code: string, language: string) => {
  const colours = new GrowingColours(language, highlight);
  let view = colours.update(code);
  for (let updates = 0; !view.isComplete && updates < 1_000; updates += 1) view = colours.update(code);
  return shown(view.nodes);
};

const TYPESCRIPT = Array.from(
  { length: 60 },
  (_, index) =>
    `/* Adds ${index},\n   "twice". */\nexport const add${index} = (a: number) => {\n  return \`\${a}\n text\` + ${index};\n};\n`,
).join('\n');

const PAGE = `<!doctype html>\n<style>\n${'p { color: red; }\n'.repeat(200)}</style>\n<script>\n${'const a = "b"; // c\n'.repeat(400)}</script>\n<p class="x">end</p>\n`;

test.each<[Coloured, string]>([
  ['typescript', TYPESCRIPT],
  ['python', 'def f(a):\n    """Doc\n\n    more."""\n    return [1, "b"]\n\n'.repeat(80)],
  ['json', `[\n${'  { "a": 1, "b": [true, null] },\n'.repeat(200)}]`],
])('%s that grows has all along the colours of the whole', async (language, code) => {
  await prepare(language);
  const colours = new GrowingColours(language, highlight);
  for (let length = 0; length < code.length; length += 97) colours.update(code.slice(0, length));
  const root = shown(colours.update(code).nodes);
  expect(root.textContent).toBe(code);
  const full = highlight(code, language);
  expect(colouredIn(root)).toEqual(colouredIn(shown(new GrowingColours(language, () => full).update(code).nodes)));
});

test('scripts and styles inside of HTML have their colours, and the text after them too', async () => {
  await prepare('xml');
  const root = whole(PAGE, 'xml');
  expect(root.textContent).toBe(PAGE);
  const colours = colouredIn(root);
  expect(colours.filter((entry) => entry === 'hljs-keyword: const')).toHaveLength(400);
  expect(colours.at(-1)).toBe('hljs-name: p');
});

test('an update reads a bounded part of long code, of a string without an end too', async () => {
  await prepare('python');
  const lengths: number[] = [];
  const code = `x = """${'a long line of text\n'.repeat(5_000)}`;
  const colours = new GrowingColours('python', (text, language) => {
    lengths.push(text.length);
    return highlight(text, language);
  });
  let view = colours.update(code);
  for (let updates = 0; !view.isComplete && updates < 1_000; updates += 1) view = colours.update(code);
  expect(shown(view.nodes).textContent).toBe(code);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(16_000);
});

test('only the end of growing code is rendered again', async () => {
  await prepare('typescript');
  const colours = new GrowingColours('typescript', highlight);
  const first = colours.update(TYPESCRIPT.slice(0, 6_000)).nodes;
  const next = colours.update(TYPESCRIPT.slice(0, 6_010)).nodes;
  expect(first.length).toBeGreaterThan(3);
  expect(next.slice(0, -2)).toEqual(first.slice(0, -2));
  for (const [index, node] of first.slice(0, -2).entries()) expect(next[index]).toBe(node);
});
