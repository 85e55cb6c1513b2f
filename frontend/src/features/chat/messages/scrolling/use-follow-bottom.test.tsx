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

/** Renders a conversation of 1,400 px that is scrolled to its end, with a simulated layout. */
function openAtEnd() {
  render(<Conversation />);
  const scroller = screen.getByTestId('scroller');
  const layout = { height: 1400, top: 1400 - SCREEN };
  Object.defineProperties(scroller, {
    clientHeight: { value: SCREEN },
    scrollHeight: { get: () => layout.height },
    scrollTop: {
      get: () => layout.top,
      set: (top: number) => {
        layout.top = Math.min(top, layout.height - SCREEN);
      },
    },
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

test('follows a growing answer while the reader is at the end', () => {
  expect(openAtEnd().grow(1500)).toBe(1500 - SCREEN);
});

test('does not scroll after the reader has scrolled up', () => {
  const { layout, scroll, grow } = openAtEnd();
  layout.top = 300;
  scroll();
  expect(grow(1500)).toBe(300);
});

test('follows after the conversation has shrunk and grown again', () => {
  const { layout, scroll, grow } = openAtEnd();
  // Rows were estimated too high: the browser scrolled up with the end before the answer started.
  Object.assign(layout, { height: 1180, top: 1100 - SCREEN });
  scroll();
  expect(grow(1300)).toBe(1300 - SCREEN);
});
