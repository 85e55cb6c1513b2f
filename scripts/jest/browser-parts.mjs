/** Browser APIs that jsdom lacks. No media query matches, every CSS feature is supported, no element
 * changes its size, and no scroll is reported. */
globalThis.matchMedia = (query) => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
});

globalThis.scrollTo = () => undefined;
globalThis.PointerEvent = globalThis.MouseEvent;
globalThis.CSS = { supports: () => true };
performance.getEntriesByType = () => [];
URL.revokeObjectURL = () => undefined;

globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

globalThis.IntersectionObserver = class {
  observe() {}
  disconnect() {}
};

/** A test that prints to console.error fails: React reports real defects there, such as updates outside of act. */
const printed = [];
const { error } = console;
console.error = (...values) => {
  printed.push(String(values[0]).split('\n', 1)[0]);
  error(...values);
};
afterEach(() => {
  const lines = printed.splice(0);
  if (lines.length > 0) throw new Error(`The test printed to console.error:\n${lines.join('\n')}`);
});
