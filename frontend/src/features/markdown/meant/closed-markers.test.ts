import { closedMarkers } from './closed-markers';

describe('the open markers of a text', () => {
  it.each([
    ['Use a backslash (`\\`) to escape, **al', 'Use a backslash (`\\`) to escape, **al**'],
    ['In `C:\\Users\\` and ``\\`` are _fi', 'In `C:\\Users\\` and ``\\`` are _fi_'],
    ['No \\`code, but `co', 'No \\`code, but `co`'],
  ])('are closed after code that ends with a backslash: %j', (text, closed) => {
    expect(closedMarkers(text)).toBe(closed);
  });

  it.each([
    ['- x:\n\n  ```js\n  a\n\n  const s = `be', ''],
    ['- x:\n\n  ```js\n  a\n\n  const s = `be\n  ```\n- **bo', '**'],
    ['- x:\n\n  ~~~\n  a `b\n\n  c ~~~ `d', ''],
    ['- x:\n\n  ```js\n  a\n  ```\n  and `co', '`'],
  ])('are none of a block of code: %j', (text, end) => {
    expect(closedMarkers(text)).toBe(text + end);
  });
});
