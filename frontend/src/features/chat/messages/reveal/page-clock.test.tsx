import { jest } from '@jest/globals';

/** Loads the module on a page with this preference and visibility. */
async function loadClock({ prefersReducedMotion = false, isHidden = false }) {
  jest.resetModules();
  const { matchMedia } = globalThis;
  const query = '(prefers-reduced-motion: reduce)';
  globalThis.matchMedia = (media) => ({ ...matchMedia(media), matches: media === query && prefersReducedMotion });
  jest.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  try {
    return (await import('./page-clock')).pageClock;
  } finally {
    globalThis.matchMedia = matchMedia;
  }
}

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  [{}, false],
  [{ isHidden: true }, true],
  [{ prefersReducedMotion: true }, true],
])('the page with %j is still: %s', async (page, isStill) => {
  expect((await loadClock(page)).isStill()).toBe(isStill);
});
