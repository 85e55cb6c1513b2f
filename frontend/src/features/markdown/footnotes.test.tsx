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

const message = () => screen.getByTestId('message');

/** The number, the address and the id of each reference in the text. */
const references = () =>
  [...message().querySelectorAll('sup a')].map((link) => [link.textContent, link.getAttribute('href'), link.id]);

const TEXT = [
  'First[^b], then[^a] and `[^code]` or \\[^c].',
  '```\n[^x]: code\n```',
  '- again[^b] and[^missing]',
  '[^a]: Note A.\n\n    Its second paragraph.',
  '[^b]: Note B.',
  '[^c]: Note C.',
  'Last[^c].',
].join('\n\n');

test('footnotes are numbered over the whole text and stand at its end', () => {
  render(page(TEXT, false));
  expect(references()).toEqual([
    ['1', '#m1-fn-b', 'm1-fnref-b'],
    ['2', '#m1-fn-a', 'm1-fnref-a'],
    ['1', '#m1-fn-b', 'm1-fnref-b-2'],
    ['3', '#m1-fn-c', 'm1-fnref-c'],
  ]);
  const notes = [...message().querySelectorAll('.footnotes li')].map(({ id, textContent }) => [id, textContent]);
  expect(notes.map(([id]) => id)).toEqual(['m1-fn-b', 'm1-fn-a', 'm1-fn-c']);
  expect(notes[1]?.[1]).toContain('Its second paragraph.');
  const ids = [...message().querySelectorAll('[id]')].map(({ id }) => id);
  for (const link of message().querySelectorAll('.footnotes a')) {
    expect(ids).toContain(link.getAttribute('href')?.slice(1));
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect(message().querySelectorAll('.footnotes')).toHaveLength(1);
  expect(message().textContent).toContain('and[^missing]');
});

test('a label may end in a number, or look like an encoded character', () => {
  render(
    page(
      'One[^ref-1], two[^ref-2], three[^%ff], four[^é].\n\nAgain[^ref-2].\n\n[^ref-1]: A\n[^ref-2]: B\n[^%ff]: C\n[^é]: D',
      false,
    ),
  );
  expect(references()).toEqual([
    ['1', '#m1-fn-ref-1', 'm1-fnref-ref-1'],
    ['2', '#m1-fn-ref-2', 'm1-fnref-ref-2'],
    ['3', '#m1-fn-%ff', 'm1-fnref-%ff'],
    ['4', '#m1-fn-%C3%A9', 'm1-fnref-%C3%A9'],
    ['2', '#m1-fn-ref-2', 'm1-fnref-ref-2-2'],
  ]);
});

test('the blocks before the notes stay the same elements at the end of the text', () => {
  const { rerender } = render(page(TEXT, true));
  const [paragraph, code, item] = ['p', '.code-block', 'li'].map((selector) => message().querySelector(selector)!);
  const text = paragraph!.firstChild;
  rerender(page(TEXT, false));
  expect(message().querySelector('p')).toBe(paragraph);
  expect(paragraph!.firstChild).toBe(text);
  expect(message().querySelector('.code-block')).toBe(code);
  expect(message().querySelector('li')).toBe(item);
});
