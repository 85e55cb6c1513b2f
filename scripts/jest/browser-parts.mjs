/** What every browser has and jsdom lacks: no media query holds, and nothing changes its size. */
globalThis.matchMedia = (query) => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
});

globalThis.scrollTo = () => undefined;
URL.revokeObjectURL = () => undefined;

globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
