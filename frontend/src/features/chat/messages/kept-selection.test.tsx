import { act, render, screen } from '@testing-library/react';
import RenderedMarkdown from '../../markdown/rendered-markdown';
import { FakeTheme } from '../../../components/layout/fake-theme';
import { keepSelections } from './kept-selection';

keepSelections();

const page = (text: string, streaming: boolean, key = 'one') => (
  <FakeTheme>
    <div data-testid="message" className="message-body">
      <RenderedMarkdown key={key} text={text} streaming={streaming} scope="m1" />
    </div>
  </FakeTheme>
);

const TEXT = 'The harbour closes at six.\n\nA **second** paragraph with the harbour.\n\nMore [^1] words';

/** Selects a part of a paragraph, and tells the page, which jsdom does not. */
function select(paragraph: number, start: number, end: number, isBackward = false): void {
  const text = screen.getByTestId('message').querySelectorAll('p')[paragraph]!.lastChild!;
  const [anchor, focus] = isBackward ? [end, start] : [start, end];
  getSelection()!.setBaseAndExtent(text, anchor, text, focus);
  act(() => void document.dispatchEvent(new Event('selectionchange')));
}

const selected = () => String(getSelection());
/** Observers of changes run after the change. */
const settled = () => act(async () => undefined);

test.each([
  ['its text grows', (key: string) => page(`${TEXT} and more`, true, key)],
  ['the answer ends with footnotes', (key: string) => page(`${TEXT}.\n\n[^1]: The note.`, false, key)],
  ['all of its elements are new', () => page(TEXT, true, 'two')],
])('a selection stays when %s', async (_, next) => {
  const { rerender } = render(page(TEXT, true));
  select(1, 20, 27);
  expect(selected()).toBe('harbour');
  rerender(next('one'));
  await settled();
  expect(selected()).toBe('harbour');
  const { anchorNode } = getSelection()!;
  expect(anchorNode?.isConnected).toBe(true);
  expect(anchorNode?.parentElement?.closest('p')?.textContent).toContain('second');
});

test('a selection in the growing paragraph stays, with its direction, as often as it grows', async () => {
  const { rerender } = render(page('One two three', true));
  select(0, 4, 7, true);
  for (const more of [' four', ' four five', ' four five six']) {
    rerender(page(`One two three${more}`, true));
    await settled();
  }
  expect(selected()).toBe('two');
  expect(getSelection()!.anchorOffset).toBe(7);
});

test('a click of the reader elsewhere, of which the page has not heard yet, is theirs', async () => {
  const { rerender } = render(page('Before\n\nOne two three', true));
  select(1, 4, 7);
  getSelection()!.collapse(screen.getByText('Before').firstChild, 2);
  rerender(page('Before\n\nOne two three four', true));
  await settled();
  expect(selected()).toBe('');
  expect(getSelection()!.anchorNode?.textContent).toBe('Before');
});
