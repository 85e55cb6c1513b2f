import { act, render, screen } from '@testing-library/react';
import { emptyEntry } from '../client/generation-reducer';
import { streamingStore } from '../client/streaming-store';
import { useStreaming } from './use-streaming';

const entry = (generationId: string, text: string) => ({
  ...emptyEntry({ generationId, threadId: 1, messageId: 2 }),
  text,
});
const shows = (...entries: ReturnType<typeof entry>[]) =>
  act(() =>
    streamingStore.store.setState({ entries: Object.fromEntries(entries.map((each) => [each.generationId, each])) }),
  );

let renderings = 0;
beforeEach(() => {
  shows();
  renderings = 0;
});

function Answer({ generationId }: { generationId: string | null }) {
  renderings += 1;
  return <p>{useStreaming(generationId, (shown) => shown?.text) ?? 'stored'}</p>;
}

const text = () => screen.getByRole('paragraph').textContent;

test('renders the growing text without a delay', () => {
  render(<Answer generationId="a" />);
  expect(text()).toBe('stored');
  shows(entry('a', 'one'));
  expect(text()).toBe('one');
  shows(entry('a', 'one two'));
  expect(text()).toBe('one two');
});

test('does not render for the events of another answer', () => {
  shows(entry('a', 'one'));
  render(<Answer generationId="a" />);
  const before = renderings;
  shows(entry('a', 'one'), entry('b', 'two'));
  expect(renderings).toBe(before);
});

test('switches to another answer, and to none', () => {
  shows(entry('a', 'one'), entry('b', 'two'));
  const view = render(<Answer generationId="a" />);
  view.rerender(<Answer generationId="b" />);
  expect(text()).toBe('two');
  shows(entry('a', 'one'), entry('b', 'two three'));
  expect(text()).toBe('two three');
  view.rerender(<Answer generationId={null} />);
  expect(text()).toBe('stored');
});
