import { jest } from '@jest/globals';
import { render, screen } from '@testing-library/react';
// Imported here, so that the lazy import resolves at once.
import '../../markdown/rendered-markdown';
import { Reasoning } from './reasoning';
import { FakeTheme } from '../../../components/layout/fake-theme';

const page = (text: string, isThinking: boolean, scope = 'm1-0') => (
  <FakeTheme>
    <Reasoning text={text} isThinking={isThinking} scope={scope} />
  </FakeTheme>
);

const summary = () => document.querySelector('summary')!.textContent;

beforeEach(() => sessionStorage.clear());

test('renders the reasoning as Markdown', async () => {
  render(page('First **this** word', false));
  const word = await screen.findByText('this');
  expect(word.tagName).toBe('STRONG');
});

test('shows the last line while the model thinks, and afterwards how long it took, after a reload too', () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
  const { rerender, unmount } = render(page('', true));
  rerender(page('First', true));
  rerender(page('First\n\n## **Then** the harbour', true));
  expect(summary()).toBe('Reasoning…Then the harbour');
  clock.mockReturnValue(5_200);
  rerender(page('First\n\n## **Then** the harbour', false));
  expect(summary()).toBe('Thought for 4 s');
  unmount();
  render(page('First\n\n## **Then** the harbour', false));
  expect(summary()).toBe('Thought for 4 s');
  clock.mockRestore();
});

test('says no time where the page did not see the beginning', () => {
  const { rerender } = render(page('word '.repeat(200), true, 'm2-0'));
  rerender(page('word '.repeat(201), false, 'm2-0'));
  expect(summary()).toBe('Reasoning');
});
