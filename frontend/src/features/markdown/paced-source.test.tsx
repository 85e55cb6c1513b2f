import { jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { TextBlock } from './text-block';
import { FakeTheme } from '../../components/layout/fake-theme';

const tableOf = (rows: number) =>
  ['| Name | Size |', '| --- | ---: |', ...Array.from({ length: rows }, (_, row) => `| Row ${row} | ${row} |`)].join(
    '\n',
  );

const view = (rows: number, closed = false) => (
  <FakeTheme>
    <TextBlock source={tableOf(rows)} definitions="" closed={closed} scope="a" />
  </FakeTheme>
);
/** The rows of the table without its header. */
const shown = () => screen.getAllByRole('row').length - 1;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a long paragraph that grows is rendered at intervals, and as a whole at its end', () => {
  const paragraph = (words: number, closed = false) => (
    <FakeTheme>
      <TextBlock source={'word '.repeat(words)} definitions="" closed={closed} scope="a" />
    </FakeTheme>
  );
  const words = () => document.querySelector('p')!.textContent.match(/word/g)!.length;
  const { rerender } = render(paragraph(400));
  act(() => void jest.advanceTimersByTime(300));
  rerender(paragraph(401));
  expect(words()).toBe(400);
  act(() => void jest.advanceTimersByTime(300));
  expect(words()).toBe(401);
  rerender(paragraph(402, true));
  expect(words()).toBe(402);
});

test('a short table shows each row at once', () => {
  const { rerender } = render(view(3));
  rerender(view(4));
  expect(shown()).toBe(4);
});

test('a long table that grows is rendered at intervals, and as a whole at its end', () => {
  const { rerender } = render(view(50));
  act(() => void jest.advanceTimersByTime(300));
  rerender(view(51));
  rerender(view(52));
  expect(shown()).toBe(50);
  act(() => void jest.advanceTimersByTime(300));
  expect(shown()).toBe(52);
  rerender(view(53));
  expect(shown()).toBe(52);
  rerender(view(53, true));
  expect(shown()).toBe(53);
});
