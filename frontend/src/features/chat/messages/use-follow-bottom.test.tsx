import { act, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { useFollowBottom } from './use-follow-bottom';

const SCREEN = 600;
let resized: () => void = () => undefined;

class FakeResizeObserver implements ResizeObserver {
  constructor(callback: ResizeObserverCallback) {
    resized = () => callback([], this);
  }
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

function Conversation() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useFollowBottom(scroller, content);
  return (
    <div ref={scroller} data-testid="scroller">
      <div ref={content} />
    </div>
  );
}

/** The scroller at the end of a conversation of 1,400 px, and what makes it look as if the browser had laid it out anew. */
function atTheEnd() {
  render(<Conversation />);
  const scroller = screen.getByTestId('scroller');
  const layout = { height: 1400, top: 1400 - SCREEN };
  Object.defineProperties(scroller, {
    clientHeight: { value: SCREEN },
    scrollHeight: { get: () => layout.height },
    scrollTop: { get: () => layout.top, set: (top: number) => (layout.top = Math.min(top, layout.height - SCREEN)) },
  });
  const scroll = () => {
    fireEvent.scroll(scroller);
  };
  scroll();
  const grow = (height: number) => {
    layout.height = height;
    act(() => resized());
    return layout.top;
  };
  return { layout, scroll, grow };
}

const before = globalThis.ResizeObserver;
beforeAll(() => (globalThis.ResizeObserver = FakeResizeObserver));
afterAll(() => (globalThis.ResizeObserver = before));

test('a reader at the end stays there while the answer grows', () => {
  expect(atTheEnd().grow(1500)).toBe(1500 - SCREEN);
});

test('a reader who scrolled up is left alone', () => {
  const { layout, scroll, grow } = atTheEnd();
  layout.top = 300;
  scroll();
  expect(grow(1500)).toBe(300);
});

test('a conversation that became shorter and grew again has not been scrolled by its reader', () => {
  const { layout, scroll, grow } = atTheEnd();
  // Rows that were estimated too high: the browser moved up with the end, and then the answer began.
  Object.assign(layout, { height: 1180, top: 1100 - SCREEN });
  scroll();
  expect(grow(1300)).toBe(1300 - SCREEN);
});
